ALTER TABLE `tasks` ADD `summary` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `tasks` ADD `progress` integer;--> statement-breakpoint
ALTER TABLE `tasks` ADD `cancellable` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `tasks` ADD `cancel_requested_at` integer;--> statement-breakpoint
CREATE INDEX `tasks_of_user` ON `tasks` (`created_by`,`id`) WHERE created_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tasks_by_kind` ON `tasks` (`kind`,`state`);--> statement-breakpoint

-- Those that were given up have ended, too.
UPDATE tasks SET finished_at = next_attempt_at WHERE state = 'dead' AND finished_at IS NULL;
