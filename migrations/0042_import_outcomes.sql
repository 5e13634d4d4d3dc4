ALTER TABLE `imports` ADD `outcome` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `imports` ADD `made` text DEFAULT '{}' NOT NULL;