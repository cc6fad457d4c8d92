CREATE TABLE "port_reservations" (
	"id" text PRIMARY KEY NOT NULL,
	"host_ip" text NOT NULL,
	"first_port" integer NOT NULL,
	"last_port" integer NOT NULL,
	"protocol" text NOT NULL,
	"claimant_kind" text NOT NULL,
	"claimant_id" text NOT NULL,
	"claimant_name" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "port_reservations_range" CHECK (1 <= "port_reservations"."first_port" and "port_reservations"."first_port" <= "port_reservations"."last_port" and "port_reservations"."last_port" <= 65535)
);
--> statement-breakpoint
ALTER TABLE "leases" ADD COLUMN "created_at" timestamp with time zone DEFAULT now() NOT NULL;