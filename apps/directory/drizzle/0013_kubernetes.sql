ALTER TABLE "directory"."fleet_places" DROP CONSTRAINT "fleet_places_host_there";--> statement-breakpoint
ALTER TABLE "directory"."fleet_places" ADD COLUMN "pod" text;--> statement-breakpoint
ALTER TABLE "directory"."fleet_places" ADD CONSTRAINT "fleet_places_host_there" CHECK ("directory"."fleet_places"."host" is not null or "directory"."fleet_places"."state" = 'placing');