DROP INDEX "containers_name_key";--> statement-breakpoint
DROP INDEX "networks_name_key";--> statement-breakpoint
ALTER TABLE "networks" ADD COLUMN "owner" text;--> statement-breakpoint
ALTER TABLE "volumes" ADD COLUMN "folder" text;--> statement-breakpoint
UPDATE "volumes" SET "folder" = "name";--> statement-breakpoint
ALTER TABLE "volumes" DROP CONSTRAINT "volumes_pkey";--> statement-breakpoint
ALTER TABLE "volumes" ADD PRIMARY KEY ("folder");--> statement-breakpoint
CREATE UNIQUE INDEX "volumes_name_key" ON "volumes" USING btree (coalesce("owner", ''),"name");--> statement-breakpoint
CREATE UNIQUE INDEX "containers_name_key" ON "containers" USING btree (coalesce("owner", ''),"name");--> statement-breakpoint
CREATE UNIQUE INDEX "networks_name_key" ON "networks" USING btree (coalesce("owner", ''),"name");
