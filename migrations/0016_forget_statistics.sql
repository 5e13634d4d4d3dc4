-- Plans follow from the schema alone: statistics of a small database made the list of transfers of a large one take
-- minutes. The first statement makes the table where there is none, the last has what was loaded from it forgotten.
ANALYZE sqlite_schema;
--> statement-breakpoint
DELETE FROM sqlite_stat1;
--> statement-breakpoint
ANALYZE sqlite_schema;
--> statement-breakpoint
DELETE FROM tasks WHERE kind = 'database.optimize';
