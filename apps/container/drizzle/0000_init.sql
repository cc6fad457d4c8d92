CREATE TABLE "containers" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"owner" text,
	"image" text NOT NULL,
	"image_id" text NOT NULL,
	"layers" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"config" jsonb NOT NULL,
	"host_config" jsonb NOT NULL,
	"endpoints" jsonb NOT NULL,
	"ports" jsonb NOT NULL,
	"mounts" jsonb NOT NULL,
	"state" jsonb NOT NULL,
	"intent" text,
	"restart_count" integer DEFAULT 0 NOT NULL,
	"stopped_by_user" boolean DEFAULT false NOT NULL,
	CONSTRAINT "containers_id_form" CHECK ("containers"."id" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"container_id" text NOT NULL,
	"protocol" text NOT NULL,
	"host_ip" text NOT NULL,
	"host_port" integer NOT NULL,
	"container_port" integer NOT NULL,
	"span" "numrange" NOT NULL,
	CONSTRAINT "leases_host_port_range" CHECK ("leases"."host_port" between 1 and 65535),
	CONSTRAINT "leases_container_port_range" CHECK ("leases"."container_port" between 1 and 65535)
);
--> statement-breakpoint
CREATE TABLE "networks" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"network" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandboxes" (
	"container_id" text PRIMARY KEY NOT NULL,
	"path" text NOT NULL,
	"endpoints" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "volumes" (
	"name" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"labels" jsonb NOT NULL,
	"options" jsonb NOT NULL,
	"anonymous" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "leases" ADD CONSTRAINT "leases_container_id_containers_id_fk" FOREIGN KEY ("container_id") REFERENCES "public"."containers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD CONSTRAINT "sandboxes_container_id_containers_id_fk" FOREIGN KEY ("container_id") REFERENCES "public"."containers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "containers_name_key" ON "containers" USING btree ("name");--> statement-breakpoint
CREATE INDEX "containers_owner_idx" ON "containers" USING btree ("owner");--> statement-breakpoint
CREATE UNIQUE INDEX "leases_address_key" ON "leases" USING btree ("protocol","host_ip","host_port");--> statement-breakpoint
CREATE INDEX "leases_container_idx" ON "leases" USING btree ("container_id");--> statement-breakpoint
CREATE UNIQUE INDEX "networks_name_key" ON "networks" USING btree ("name");--> statement-breakpoint
ALTER TABLE "leases" ADD CONSTRAINT "leases_exclude_overlap" EXCLUDE USING gist ("span" WITH &&);
