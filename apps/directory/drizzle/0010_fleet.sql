CREATE TABLE "directory"."fleet_accounts" (
	"account" text collate "C" PRIMARY KEY NOT NULL,
	"used" numeric NOT NULL,
	CONSTRAINT "fleet_accounts_used" CHECK ("directory"."fleet_accounts"."used" >= 0)
);
--> statement-breakpoint
CREATE TABLE "directory"."fleet_hosts" (
	"name" text PRIMARY KEY NOT NULL,
	"number" bigint GENERATED ALWAYS AS IDENTITY (sequence name "directory"."fleet_hosts_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"token_id" bigint,
	"turn" bigint NOT NULL,
	"address" text NOT NULL,
	"memory" bigint NOT NULL,
	"cpu" numeric NOT NULL,
	"is_draining" boolean DEFAULT false NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "fleet_hosts_number_unique" UNIQUE("number")
);
--> statement-breakpoint
CREATE TABLE "directory"."fleet_places" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "directory"."fleet_places_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"user_id" bigint NOT NULL,
	"host" text,
	"memory" bigint NOT NULL,
	"cpu" numeric NOT NULL,
	"pids" integer NOT NULL,
	"ports" jsonb NOT NULL,
	"state" text DEFAULT 'wanted' NOT NULL,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"until" timestamp (3) with time zone,
	"containers" integer DEFAULT 0 NOT NULL,
	"amounts" jsonb,
	CONSTRAINT "fleet_places_host_there" CHECK ("directory"."fleet_places"."host" is not null),
	CONSTRAINT "fleet_places_room_left" CHECK ("directory"."fleet_places"."amounts" is not null)
);
--> statement-breakpoint
CREATE TABLE "directory"."fleet_ports" (
	"place_id" bigint NOT NULL,
	"span" "int8range" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "directory"."fleet_hosts" ADD CONSTRAINT "fleet_hosts_token_id_tokens_id_fk" FOREIGN KEY ("token_id") REFERENCES "directory"."tokens"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory"."fleet_places" ADD CONSTRAINT "fleet_places_host_fleet_hosts_name_fk" FOREIGN KEY ("host") REFERENCES "directory"."fleet_hosts"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory"."fleet_ports" ADD CONSTRAINT "fleet_ports_place_id_fleet_places_id_fk" FOREIGN KEY ("place_id") REFERENCES "directory"."fleet_places"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "fleet_places_name_key" ON "directory"."fleet_places" USING btree ("user_id","name");--> statement-breakpoint
CREATE INDEX "fleet_places_by_host" ON "directory"."fleet_places" USING btree ("host");--> statement-breakpoint
CREATE INDEX "fleet_ports_by_place" ON "directory"."fleet_ports" USING btree ("place_id");--> statement-breakpoint
ALTER TABLE "directory"."fleet_ports" ADD CONSTRAINT "fleet_ports_apart" EXCLUDE USING gist ("span" WITH &&);--> statement-breakpoint
-- Numbers that no two reports of any host share.
CREATE SEQUENCE "directory"."fleet_turns";
