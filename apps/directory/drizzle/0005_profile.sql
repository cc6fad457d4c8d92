ALTER TABLE "directory"."groups" DROP CONSTRAINT "groups_name";--> statement-breakpoint
ALTER TABLE "directory"."users" DROP CONSTRAINT "users_login";--> statement-breakpoint
DROP INDEX "directory"."users_email_key";--> statement-breakpoint
ALTER TABLE "directory"."users" ALTER COLUMN "email" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "directory"."users" ADD COLUMN "email_type" text DEFAULT 'work' NOT NULL;--> statement-breakpoint
ALTER TABLE "directory"."users" ADD COLUMN "other_emails" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "directory"."users" ADD COLUMN "given_name" text;--> statement-breakpoint
ALTER TABLE "directory"."users" ADD COLUMN "family_name" text;--> statement-breakpoint
ALTER TABLE "directory"."users" ADD COLUMN "formatted_name" text;--> statement-breakpoint
CREATE INDEX "users_by_email" ON "directory"."users" USING btree ("email_key","id");--> statement-breakpoint
CREATE INDEX "users_by_other_email" ON "directory"."users" USING gin ("other_emails" jsonb_path_ops);--> statement-breakpoint
CREATE INDEX "users_by_external_id" ON "directory"."users" USING btree ("external_id") WHERE external_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "directory"."users" USING btree ("email_key") WHERE email_key <> '';--> statement-breakpoint
ALTER TABLE "directory"."groups" ADD CONSTRAINT "groups_name" CHECK (char_length("directory"."groups"."name") between 1 and 256 and "directory"."groups"."name" !~ '[[:cntrl:]]');--> statement-breakpoint
ALTER TABLE "directory"."users" ADD CONSTRAINT "users_email_has_key" CHECK (("directory"."users"."email" is null) = ("directory"."users"."email_key" = ''));--> statement-breakpoint
ALTER TABLE "directory"."users" ADD CONSTRAINT "users_login" CHECK (char_length("directory"."users"."login") between 1 and 256 and "directory"."users"."login" !~ '[[:cntrl:]]');