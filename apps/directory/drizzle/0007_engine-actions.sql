DROP INDEX "directory"."audit_at";--> statement-breakpoint
DROP INDEX "directory"."audit_target";--> statement-breakpoint
DROP INDEX "directory"."audit_actor";--> statement-breakpoint
ALTER TABLE "directory"."audit" ADD COLUMN "outcome" text DEFAULT 'done' NOT NULL;--> statement-breakpoint
ALTER TABLE "directory"."audit" ADD COLUMN "bypass" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "directory"."audit" ADD COLUMN "report_id" uuid;--> statement-breakpoint
CREATE INDEX "audit_by_time" ON "directory"."audit" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_by_target" ON "directory"."audit" USING btree ("target","at","id");--> statement-breakpoint
CREATE INDEX "audit_by_actor" ON "directory"."audit" USING btree ("actor","at","id");--> statement-breakpoint
CREATE INDEX "audit_by_outcome" ON "directory"."audit" USING btree ("outcome","at","id") WHERE outcome <> 'done';--> statement-breakpoint
CREATE INDEX "audit_by_bypass" ON "directory"."audit" USING btree ("at","id") WHERE bypass;--> statement-breakpoint
CREATE UNIQUE INDEX "audit_report_id" ON "directory"."audit" USING btree ("report_id") WHERE report_id is not null;--> statement-breakpoint
ALTER TABLE "directory"."audit" ADD CONSTRAINT "audit_outcome" CHECK ("directory"."audit"."outcome" in ('done', 'refused', 'failed'));--> statement-breakpoint
ALTER TABLE directory.audit DISABLE TRIGGER append_only;--> statement-breakpoint
UPDATE directory.audit SET outcome = 'refused' WHERE action IN ('access.refuse', 'signin.fail', 'signin.lock');--> statement-breakpoint
ALTER TABLE directory.audit ENABLE TRIGGER append_only;
