CREATE TABLE "builds" (
	"id" text PRIMARY KEY NOT NULL,
	"owner" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sandboxes" DROP CONSTRAINT "sandboxes_container_id_containers_id_fk";
