ALTER TABLE `users` ADD `name_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
-- Folded further, as the service does, when the name is next changed: SQLite knows the letters of ASCII only.
UPDATE `users` SET `name_key` = lower(`name`);
