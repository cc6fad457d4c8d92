export interface paths {
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Operators and administrators, with the scope read.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description Administrators, with the scope write.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user
         * @description The user itself, operators and administrators, with the scope read.
         */
        get: operations["getUser"];
        /**
         * Replace a user's fields
         * @description The user itself and administrators, with the scope write.
         */
        put: operations["replaceUser"];
        post?: never;
        /**
         * Remove a user with its memberships, constraints and tokens
         * @description Administrators, with the scope write.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Change some of a user's fields
         * @description The user itself and administrators, with the scope write.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/api/users/{id}/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the groups of a user
         * @description The user itself, operators and administrators, with the scope read.
         */
        get: operations["listUserGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List groups
         * @description Operators and administrators, with the scope read.
         */
        get: operations["listGroups"];
        put?: never;
        /**
         * Create a group
         * @description Administrators, with the scope write.
         */
        post: operations["createGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a group
         * @description Members of the group, operators and administrators, with the scope read.
         */
        get: operations["getGroup"];
        /**
         * Replace a group's fields
         * @description Administrators, with the scope write.
         */
        put: operations["replaceGroup"];
        post?: never;
        /**
         * Remove a group with its constraints; its users remain
         * @description Administrators, with the scope write.
         */
        delete: operations["deleteGroup"];
        options?: never;
        head?: never;
        /**
         * Change some of a group's fields
         * @description Administrators, with the scope write.
         */
        patch: operations["updateGroup"];
        trace?: never;
    };
    "/api/groups/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of a group
         * @description Managers of the group, operators and administrators, with the scope read.
         */
        get: operations["listGroupMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/groups/{id}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add a member or set its role; managers invite, and the invited user accepts by adding itself
         * @description The invited user, managers of the group and administrators, with the scope write.
         */
        put: operations["putGroupMember"];
        post?: never;
        /**
         * Remove a member or decline an invitation; succeeds if there is none
         * @description The invited user, managers of the group and administrators, with the scope write.
         */
        delete: operations["removeGroupMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the groups that a user is invited to
         * @description The user itself, operators and administrators, with the scope read.
         */
        get: operations["listUserInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/groups/{id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users who are invited to a group and have not accepted
         * @description Operators and administrators, with the scope read.
         */
        get: operations["listGroupInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/groups/{id}/subgroups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the groups that are part of a group
         * @description Managers of the group, operators and administrators, with the scope read.
         */
        get: operations["listGroupSubgroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/groups/{id}/subgroups/{subgroupId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make a group part of another: the other's constraints bind its members too
         * @description Administrators, with the scope write.
         */
        put: operations["putSubgroup"];
        post?: never;
        /**
         * Take a group out of another; succeeds if it is not in it
         * @description Administrators, with the scope write.
         */
        delete: operations["removeSubgroup"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/constraints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the owner's own constraints
         * @description The user itself, operators and administrators, with the scope read.
         */
        get: operations["listUserConstraints"];
        put?: never;
        /**
         * Add a constraint to the owner
         * @description Administrators, with the scope write.
         */
        post: operations["createUserConstraint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/groups/{id}/constraints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the owner's own constraints
         * @description Members of the group, operators and administrators, with the scope read.
         */
        get: operations["listGroupConstraints"];
        put?: never;
        /**
         * Add a constraint to the owner
         * @description Administrators, with the scope write.
         */
        post: operations["createGroupConstraint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/constraints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a constraint; users see their own and those of their groups
         * @description Every user, with the scope read.
         */
        get: operations["getConstraint"];
        /**
         * Replace a constraint, keeping its owner
         * @description Administrators, with the scope write.
         */
        put: operations["replaceConstraint"];
        post?: never;
        /**
         * Remove a constraint
         * @description Administrators, with the scope write.
         */
        delete: operations["deleteConstraint"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/constraints/{id}/sharers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find out which of some users a shared quota binds, among whom the asking user is one
         * @description Every user, with the scope read or engine.
         */
        post: operations["listSharers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/effective-constraints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user's effective constraints and their owners
         * @description The user itself, operators and administrators, with the scope read or engine.
         */
        get: operations["getEffectiveConstraints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain the decision about a request, without side effects
         * @description Every user, with the scope read or engine.
         */
        post: operations["decide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow changes that may alter decisions: `user`, `group` or `all`, as server-sent events
         * @description Operators and administrators, with the scope read or engine.
         */
        get: operations["followEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with login or e-mail, password and, with a second factor, a code; for a session token or cookie
         * @description Needs no authentication.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out: revoke the token of this request
         * @description Every user, with the scope read or write or engine or report or second-factor.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read yourself, with the scopes of your credential
         * @description Every user, with the scope read or write or engine or report or second-factor.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/pass": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change your own password and revoke your other tokens
         * @description Every user, with the scope write.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/pass-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link by which a user sets its password, once and within 24 hours
         * @description Administrators, with the scope write.
         */
        post: operations["createUserPassLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pass": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set your password with the token of a link, which ends all your tokens
         * @description Every user, with the scope pass.
         */
        put: operations["replacePas"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read whether a user has a second factor, and has to have one
         * @description The user itself, operators and administrators, with the scope read or second-factor.
         */
        get: operations["getSecondFactor"];
        put?: never;
        post?: never;
        /**
         * Remove a user's second factor, for somebody who has lost it
         * @description Administrators, with the scope write.
         */
        delete: operations["resetSecondFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Turn your second factor on with a code of it
         * @description Every user, with the scope write or second-factor.
         */
        put: operations["confirmSecondFactor"];
        /**
         * Make a secret for your authenticator app, which counts once you confirm it with a code
         * @description Every user, with the scope write or second-factor.
         */
        post: operations["beginSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace your recovery codes
         * @description Every user, with the scope write.
         */
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/second-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove your second factor
         * @description Every user, with the scope write.
         */
        post: operations["disableSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/device-logins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a command wait until its user approves in a browser that it signs in
         * @description Needs no authentication.
         */
        post: operations["startDeviceLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/device-logins/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fetch the token of a command that its user has approved, once
         * @description Needs no authentication.
         */
        post: operations["finishDeviceLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/device-logins/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read which command waits with a code
         * @description Every user, with the scope read.
         */
        get: operations["getDeviceLogin"];
        /**
         * Approve that the command acts as you from now on, or decline
         * @description Every user, with the scope write.
         */
        put: operations["answerDeviceLogin"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your tokens, or as administrator those of userId
         * @description Every user, with the scope read.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Issue a token; its text is only in this answer
         * @description Every user, with the scope write.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token
         * @description Every user, with the scope write.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit entries, newest first; users see what they did themselves, and were refused
         * @description Every user, with the scope read.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report what was done on a container service; an entry that is there already is left as it is
         * @description Operators and administrators, with the scope report.
         */
        post: operations["reportEngineActions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hosts/{name}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Report what a container service has: containers, ports, and what their owners use
         * @description Operators and administrators, with the scope report.
         */
        put: operations["reportHost"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what the hosts last reported; users see what is their own, or reserved for them
         * @description Every user, with the scope read.
         */
        get: operations["listHosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what users' containers use on all hosts, and their quotas; users see their own
         * @description Every user, with the scope read.
         */
        get: operations["listUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/export/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all users, one per line, without passwords
         * @description Operators and administrators, with the scope read.
         */
        get: operations["exportUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import users, all or none; with Accept: application/x-ndjson the answer streams its progress
         * @description Administrators, with the scope write.
         */
        post: operations["importUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export users, groups, memberships and constraints as JSON lines; password hashes need the scope write
         * @description Administrators, with the scope read.
         */
        get: operations["exportDirectory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import an export, all of it or none; existing users and groups are refused, kept or replaced
         * @description Administrators, with the scope write.
         */
        post: operations["importDirectory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fleet/places": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the places of the fleet; users see their own
         * @description Every user, with the scope read or engine.
         */
        get: operations["listPlaces"];
        put?: never;
        /**
         * Take a share of a host, for yourself or as administrator for userId
         * @description Every user, with the scope write or engine.
         */
        post: operations["takePlace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fleet/places/{id}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a place last so many seconds from now
         * @description Every user, with the scope write or engine.
         */
        post: operations["extendPlace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fleet/places/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Give a place back: its host stops and removes everything in it, then its room is free
         * @description Every user, with the scope write or engine.
         */
        delete: operations["givePlace"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fleet/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the hosts of the fleet, with what each has free
         * @description Every user, with the scope read or engine.
         */
        get: operations["listFleetHosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fleet/hosts/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Report a host's places, and learn which it has to have; the first report registers the host
         * @description Operators and administrators, with the scope report.
         */
        put: operations["reportPlaces"];
        post?: never;
        /**
         * Give up a host for lost, and free what its places held
         * @description Administrators, with the scope write.
         */
        delete: operations["forgetHost"];
        options?: never;
        head?: never;
        /**
         * Grant no more places on a host, or do so again; what is there stays
         * @description Administrators, with the scope write.
         */
        patch: operations["drainHost"];
        trace?: never;
    };
    "/api/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell how people sign in beside a password
         * @description Needs no authentication.
         */
        get: operations["listWaysToSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sso/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Go to the provider of OpenID Connect to sign in; a browser then comes back with a session cookie
         * @description Needs no authentication.
         */
        get: operations["startSso"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sso/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where the provider sends the browser back to
         * @description Needs no authentication.
         */
        get: operations["finishSso"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the people of providers as which a user signs in
         * @description The user itself, operators and administrators, with the scope read.
         */
        get: operations["listUserIdentities"];
        put?: never;
        post?: never;
        /**
         * Let the next person of the provider with the user's verified address sign in as it
         * @description Administrators, with the scope write.
         */
        delete: operations["unlinkIdentities"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        User: {
            /**
             * @description The record's number.
             * @example 7
             */
            id: number;
            /**
             * @description The name that the user signs in with; unique among logins and e-mails.
             * @example ann
             */
            login: string;
            /**
             * @description The user's e-mail address; unique among logins and e-mails.
             * @example ann@example.test
             */
            email: string | null;
            /**
             * @description A name for people to read.
             * @example Ann Lee
             */
            name: string | null;
            /**
             * @description What a constraint is about, or whether a user is a person or a service.
             * @example person
             * @enum {string}
             */
            kind: "person" | "service";
            /**
             * @description What the user may do in the directory.
             * @example user
             * @enum {string}
             */
            role: "user" | "operator" | "admin";
            /**
             * @description Whether the user may sign in and use tokens.
             * @example true
             */
            active: boolean;
            /**
             * @description The record's id in another system.
             * @example 00u1x2y3
             */
            externalId: string | null;
            /**
             * @description Fields of the deployment's own, by name: texts, numbers, true or false.
             * @example {
             *       "costCentre": "4711"
             *     }
             */
            fields: {
                [key: string]: string | number | boolean;
            };
            /**
             * @description Grows with every change; also the entity tag.
             * @example 3
             */
            version: number;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2030-01-31T08:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             * @example 2030-01-31T08:00:00.000Z
             */
            updatedAt: string;
        };
        Problem: {
            /**
             * @description URN of the kind of failure.
             * @example urn:berth:problem:conflict
             */
            type: string;
            /**
             * @description The kind of failure in words.
             * @example Conflict
             */
            title: string;
            /**
             * @description The HTTP status.
             * @example 409
             */
            status: number;
            /**
             * @description What was wrong, for people.
             * @example The login is taken.
             */
            detail: string;
            /**
             * @description Path of the request.
             * @example /api/users
             */
            instance: string;
            /**
             * @description The kind of failure, for programs.
             * @example conflict
             * @enum {string}
             */
            code: "malformed" | "unauthenticated" | "second-factor-required" | "forbidden" | "not-found" | "method-not-allowed" | "conflict" | "stale" | "too-large" | "unsupported-media-type" | "invalid" | "precondition-required" | "throttled" | "busy" | "unavailable" | "full" | "internal";
            /**
             * @description The faults one by one.
             * @example [
             *       {
             *         "pointer": "/login",
             *         "detail": "is taken"
             *       }
             *     ]
             */
            errors?: {
                /**
                 * @description JSON pointer (RFC 6901) into the body.
                 * @example /login
                 */
                pointer?: string;
                /**
                 * @description Name of the parameter or header.
                 * @example limit
                 */
                parameter?: string;
                /**
                 * @description What is wrong with it.
                 * @example is taken
                 */
                detail: string;
            }[];
        };
        NewUser: {
            /**
             * @description The name that the user signs in with; unique among logins and e-mails.
             * @example ann
             */
            login: string;
            /**
             * @description The user's e-mail address; unique among logins and e-mails.
             * @example ann@example.test
             */
            email?: string | null;
            /**
             * @description A name for people to read.
             * @example Ann Lee
             */
            name?: string | null;
            /**
             * @description The password; never returned.
             * @default null
             * @example correct horse battery
             */
            pass?: string | null;
            /**
             * @description What the user may do in the directory.
             * @default user
             * @example user
             * @enum {string}
             */
            role?: "user" | "operator" | "admin";
            /**
             * @description Whether the user may sign in and use tokens.
             * @default true
             * @example true
             */
            active?: boolean;
            /**
             * @description The record's id in another system.
             * @default null
             * @example 00u1x2y3
             */
            externalId?: string | null;
            /**
             * @description What a constraint is about, or whether a user is a person or a service.
             * @default person
             * @example person
             * @enum {string}
             */
            kind?: "person" | "service";
            /**
             * @description Fields of the deployment's own, by name: texts, numbers, true or false.
             * @example {
             *       "costCentre": "4711"
             *     }
             */
            fields?: {
                [key: string]: string | number | boolean;
            };
        };
        ReplacedUser: {
            /**
             * @description The name that the user signs in with; unique among logins and e-mails.
             * @example ann
             */
            login: string;
            /**
             * @description The user's e-mail address; unique among logins and e-mails.
             * @example ann@example.test
             */
            email: string | null;
            /**
             * @description A name for people to read.
             * @example Ann Lee
             */
            name?: string | null;
            /**
             * @description The password; never returned.
             * @example correct horse battery
             */
            pass?: string;
            /**
             * @description What the user may do in the directory.
             * @example user
             * @enum {string}
             */
            role?: "user" | "operator" | "admin";
            /**
             * @description Whether the user may sign in and use tokens.
             * @example true
             */
            active?: boolean;
            /**
             * @description The record's id in another system.
             * @example 00u1x2y3
             */
            externalId?: string | null;
            /**
             * @description Fields of the deployment's own, by name: texts, numbers, true or false.
             * @example {
             *       "costCentre": "4711"
             *     }
             */
            fields?: {
                [key: string]: string | number | boolean;
            };
        };
        PatchedUser: {
            /**
             * @description The name that the user signs in with; unique among logins and e-mails.
             * @example ann
             */
            login?: string;
            /**
             * @description The user's e-mail address; unique among logins and e-mails.
             * @example ann@example.test
             */
            email?: string | null;
            /**
             * @description A name for people to read.
             * @example Ann Lee
             */
            name?: string | null;
            /**
             * @description The password; never returned.
             * @example correct horse battery
             */
            pass?: string;
            /**
             * @description What the user may do in the directory.
             * @example user
             * @enum {string}
             */
            role?: "user" | "operator" | "admin";
            /**
             * @description Whether the user may sign in and use tokens.
             * @example true
             */
            active?: boolean;
            /**
             * @description The record's id in another system.
             * @example 00u1x2y3
             */
            externalId?: string | null;
            /**
             * @description Fields of the deployment's own, by name: texts, numbers, true or false.
             * @example {
             *       "costCentre": "4711"
             *     }
             */
            fields?: {
                [key: string]: string | number | boolean | null;
            };
        };
        GroupOfUser: components["schemas"]["Group"] & {
            /**
             * @description The user's role in the group.
             * @example member
             * @enum {string}
             */
            membership: "member" | "manager";
        };
        Group: {
            /**
             * @description The record's number.
             * @example 7
             */
            id: number;
            /**
             * @description A name for people to read.
             * @example Ann Lee
             */
            name: string;
            /**
             * @description The record's id in another system.
             * @example 00u1x2y3
             */
            externalId: string | null;
            /**
             * @description Fields of the deployment's own, by name: texts, numbers, true or false.
             * @example {
             *       "costCentre": "4711"
             *     }
             */
            fields: {
                [key: string]: string | number | boolean;
            };
            /**
             * @description Grows with every change; also the entity tag.
             * @example 3
             */
            version: number;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2030-01-31T08:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             * @example 2030-01-31T08:00:00.000Z
             */
            updatedAt: string;
        };
        NewGroup: {
            /**
             * @description A name for people to read.
             * @example Ann Lee
             */
            name: string;
            /**
             * @description The record's id in another system.
             * @default null
             * @example 00u1x2y3
             */
            externalId?: string | null;
            /**
             * @description Fields of the deployment's own, by name: texts, numbers, true or false.
             * @example {
             *       "costCentre": "4711"
             *     }
             */
            fields?: {
                [key: string]: string | number | boolean;
            };
        };
        ReplacedGroup: {
            /**
             * @description A name for people to read.
             * @example Ann Lee
             */
            name: string;
            /**
             * @description The record's id in another system.
             * @example 00u1x2y3
             */
            externalId?: string | null;
            /**
             * @description Fields of the deployment's own, by name: texts, numbers, true or false.
             * @example {
             *       "costCentre": "4711"
             *     }
             */
            fields?: {
                [key: string]: string | number | boolean;
            };
        };
        PatchedGroup: {
            /**
             * @description A name for people to read.
             * @example Ann Lee
             */
            name?: string;
            /**
             * @description The record's id in another system.
             * @example 00u1x2y3
             */
            externalId?: string | null;
            /**
             * @description Fields of the deployment's own, by name: texts, numbers, true or false.
             * @example {
             *       "costCentre": "4711"
             *     }
             */
            fields?: {
                [key: string]: string | number | boolean | null;
            };
        };
        Member: components["schemas"]["User"] & {
            /**
             * @description The user's role in the group.
             * @example member
             * @enum {string}
             */
            membership: "member" | "manager";
        };
        Invitation: components["schemas"]["Group"] & {
            /**
             * Format: date-time
             * @description When the user was invited.
             * @example 2030-01-31T08:00:00.000Z
             */
            invitedAt: string;
        };
        Invited: {
            /**
             * @description The record's number.
             * @example 7
             */
            id: number;
            /**
             * @description The name that the user signs in with; unique among logins and e-mails.
             * @example ann
             */
            login: string;
            /**
             * Format: date-time
             * @description When the user was invited.
             * @example 2030-01-31T08:00:00.000Z
             */
            invitedAt: string;
        };
        Constraint: {
            /**
             * @description The record's number.
             * @example 7
             */
            id: number;
            /**
             * @description The user or group that the constraint applies to.
             * @example {
             *       "type": "group",
             *       "id": 2
             *     }
             */
            owner: {
                /**
                 * @description The kind of owner or value.
                 * @example group
                 * @enum {string}
                 */
                type: "user" | "group";
                /**
                 * @description The record's number.
                 * @example 7
                 */
                id: number;
                /**
                 * @description The group's name, in effective constraints and decisions.
                 * @example Ann Lee
                 */
                name?: string;
            };
            /**
             * @description What a constraint is about, or whether a user is a person or a service.
             * @example host-ports
             */
            kind: string;
            /**
             * @description Whether it limits, denies or grants.
             * @example limit
             * @enum {string}
             */
            effect?: "limit" | "deny" | "grant";
            /**
             * @description Why the constraint exists.
             * @example project 42
             */
            note?: string | null;
            /**
             * Format: date-time
             * @description When it expires; null for never.
             * @example 2030-01-31T08:00:00.000Z
             */
            expiresAt?: string | null;
            /**
             * @description Grows with every change; also the entity tag.
             * @example 3
             */
            version?: number;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2030-01-31T08:00:00.000Z
             */
            createdAt?: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             * @example 2030-01-31T08:00:00.000Z
             */
            updatedAt?: string;
        } & {
            [key: string]: unknown;
        };
        NewConstraint: {
            /**
             * @description What a constraint is about, or whether a user is a person or a service.
             * @example host-ports
             * @enum {string}
             */
            kind: "host-ports";
            /**
             * @description Host ports.
             * @example [
             *       {
             *         "start": 8000,
             *         "end": 8099,
             *         "protocol": "tcp"
             *       }
             *     ]
             */
            ports: {
                /**
                 * @description First port of the range.
                 * @example 8000
                 */
                start: number;
                /**
                 * @description Last port of the range.
                 * @example 8099
                 */
                end?: number;
                /**
                 * @description Transport protocol; all if omitted in a constraint.
                 * @example tcp
                 * @enum {string}
                 */
                protocol?: "tcp" | "udp" | "sctp";
            }[];
            /**
             * @description Whether it limits, denies or grants.
             * @default limit
             * @example limit
             * @enum {string}
             */
            effect?: "limit" | "deny" | "grant";
            /**
             * @description Why the constraint exists.
             * @default null
             * @example project 42
             */
            note?: string | null;
            /**
             * Format: date-time
             * @description When it expires; null for never.
             * @example 2030-01-31T08:00:00.000Z
             */
            expiresAt?: string | null;
        } | {
            /**
             * @description What a constraint is about, or whether a user is a person or a service.
             * @example host-interfaces
             * @enum {string}
             */
            kind: "host-interfaces";
            /**
             * @description Addresses, CIDR blocks, or `*`.
             * @example [
             *       "127.0.0.1"
             *     ]
             */
            addresses: string[];
            /**
             * @description Whether it limits, denies or grants.
             * @default limit
             * @example limit
             * @enum {string}
             */
            effect?: "limit" | "deny" | "grant";
            /**
             * @description Why the constraint exists.
             * @default null
             * @example project 42
             */
            note?: string | null;
            /**
             * Format: date-time
             * @description When it expires; null for never.
             * @example 2030-01-31T08:00:00.000Z
             */
            expiresAt?: string | null;
        } | {
            /**
             * @description What a constraint is about, or whether a user is a person or a service.
             * @example images
             * @enum {string}
             */
            kind: "images";
            /**
             * @description Patterns of full image references; `*` matches any run.
             * @example [
             *       "docker.io/library/*"
             *     ]
             */
            patterns: string[];
            /**
             * @description Whether it limits, denies or grants.
             * @default limit
             * @example limit
             * @enum {string}
             */
            effect?: "limit" | "deny" | "grant";
            /**
             * @description Why the constraint exists.
             * @default null
             * @example project 42
             */
            note?: string | null;
            /**
             * Format: date-time
             * @description When it expires; null for never.
             * @example 2030-01-31T08:00:00.000Z
             */
            expiresAt?: string | null;
        } | {
            /**
             * @description What a constraint is about, or whether a user is a person or a service.
             * @example mounts
             * @enum {string}
             */
            kind: "mounts";
            /**
             * @description Host folders.
             * @example [
             *       {
             *         "path": "/srv",
             *         "readOnly": true
             *       }
             *     ]
             */
            folders: {
                /**
                 * @description An absolute path on the host, or of an attribute.
                 * @example /srv
                 */
                path: string;
                /**
                 * @description Whether it is read-only.
                 * @default false
                 * @example true
                 */
                readOnly?: boolean;
            }[];
            /**
             * @description Whether it limits, denies or grants.
             * @default limit
             * @example limit
             * @enum {string}
             */
            effect?: "limit" | "deny" | "grant";
            /**
             * @description Why the constraint exists.
             * @default null
             * @example project 42
             */
            note?: string | null;
            /**
             * Format: date-time
             * @description When it expires; null for never.
             * @example 2030-01-31T08:00:00.000Z
             */
            expiresAt?: string | null;
        } | {
            /**
             * @description What a constraint is about, or whether a user is a person or a service.
             * @example privileges
             * @enum {string}
             */
            kind: "privileges";
            /**
             * @description Privileges of containers.
             * @example [
             *       "capability:NET_ADMIN"
             *     ]
             */
            privileges: string[];
            /**
             * @description Whether it limits, denies or grants.
             * @default limit
             * @example limit
             * @enum {string}
             */
            effect?: "limit" | "deny" | "grant";
            /**
             * @description Why the constraint exists.
             * @default null
             * @example project 42
             */
            note?: string | null;
            /**
             * Format: date-time
             * @description When it expires; null for never.
             * @example 2030-01-31T08:00:00.000Z
             */
            expiresAt?: string | null;
        } | {
            /**
             * @description What a constraint is about, or whether a user is a person or a service.
             * @example networks
             * @enum {string}
             */
            kind: "networks";
            /**
             * @description Networks of others: `NAME` or `OWNER/NAME`; `*` matches any run.
             * @example [
             *       "teamnet"
             *     ]
             */
            names: string[];
            /**
             * @description Whether it limits, denies or grants.
             * @default limit
             * @example limit
             * @enum {string}
             */
            effect?: "limit" | "deny" | "grant";
            /**
             * @description Why the constraint exists.
             * @default null
             * @example project 42
             */
            note?: string | null;
            /**
             * Format: date-time
             * @description When it expires; null for never.
             * @example 2030-01-31T08:00:00.000Z
             */
            expiresAt?: string | null;
        } | {
            /**
             * @description What a constraint is about, or whether a user is a person or a service.
             * @example subnets
             * @enum {string}
             */
            kind: "subnets";
            /**
             * @description Subnets of own networks: CIDR blocks, or `*`.
             * @example [
             *       "10.1.0.0/16"
             *     ]
             */
            subnets: string[];
            /**
             * @description Whether it limits, denies or grants.
             * @default limit
             * @example limit
             * @enum {string}
             */
            effect?: "limit" | "deny" | "grant";
            /**
             * @description Why the constraint exists.
             * @default null
             * @example project 42
             */
            note?: string | null;
            /**
             * Format: date-time
             * @description When it expires; null for never.
             * @example 2030-01-31T08:00:00.000Z
             */
            expiresAt?: string | null;
        } | {
            /**
             * @description What a constraint is about, or whether a user is a person or a service.
             * @example quota
             * @enum {string}
             */
            kind: "quota";
            /**
             * @description The resource that is counted.
             * @example memory
             * @enum {string}
             */
            resource: "containers" | "published-ports" | "memory" | "cpu" | "pids" | "networks" | "storage";
            /**
             * @description The most of it over all containers of a user; bytes for memory.
             * @example 1073741824
             */
            max: number;
            /**
             * @description Whether it limits, denies or grants.
             * @default limit
             * @example limit
             * @enum {string}
             */
            effect?: "limit" | "deny" | "grant";
            /**
             * @description Why the constraint exists.
             * @default null
             * @example project 42
             */
            note?: string | null;
            /**
             * Format: date-time
             * @description When it expires; null for never.
             * @example 2030-01-31T08:00:00.000Z
             */
            expiresAt?: string | null;
        } | {
            /**
             * @description What a constraint is about, or whether a user is a person or a service.
             * @example shared-quota
             * @enum {string}
             */
            kind: "shared-quota";
            /**
             * @description The resource that is counted.
             * @example memory
             * @enum {string}
             */
            resource: "containers" | "published-ports" | "memory" | "cpu" | "pids";
            /**
             * @description The most of it over all containers of a user; bytes for memory.
             * @example 1073741824
             */
            max: number;
            /**
             * @description Whether it limits, denies or grants.
             * @default limit
             * @example limit
             * @enum {string}
             */
            effect?: "limit" | "deny" | "grant";
            /**
             * @description Why the constraint exists.
             * @default null
             * @example project 42
             */
            note?: string | null;
            /**
             * Format: date-time
             * @description When it expires; null for never.
             * @example 2030-01-31T08:00:00.000Z
             */
            expiresAt?: string | null;
        };
        SharersRequest: {
            /**
             * @description Ids of users.
             * @example [
             *       7,
             *       8
             *     ]
             */
            userIds: number[];
        };
        EffectiveConstraints: {
            /**
             * @description The user that is decided about.
             * @example {
             *       "id": 7,
             *       "login": "ann",
             *       "role": "user",
             *       "active": true
             *     }
             */
            subject: {
                /**
                 * @description The record's number.
                 * @example 7
                 */
                id: number;
                /**
                 * @description The name that the user signs in with; unique among logins and e-mails.
                 * @example ann
                 */
                login: string;
                /**
                 * @description What the user may do in the directory.
                 * @example user
                 */
                role: string;
                /**
                 * @description Whether the user may sign in and use tokens.
                 * @example true
                 */
                active: boolean;
            };
            /**
             * @description Grows with every change; also the entity tag.
             * @example 12:34
             */
            version: string;
            /**
             * @description What holds without constraints.
             * @example {}
             */
            baseline: {
                [key: string]: unknown;
            };
            /**
             * @description The constraints, their ids, or how many were written.
             * @example []
             */
            constraints: components["schemas"]["Constraint"][];
            /**
             * @description Constraints that this version cannot parse; each refuses everything of its kind.
             * @example []
             */
            unreadable: components["schemas"]["Constraint"][];
            /**
             * @description The groups that the user is in, by itself or through a subgroup.
             * @example [
             *       {
             *         "id": 2,
             *         "name": "web"
             *       }
             *     ]
             */
            groups: {
                /**
                 * @description The record's number.
                 * @example 7
                 */
                id: number;
                /**
                 * @description A name for people to read.
                 * @example Ann Lee
                 */
                name: string;
            }[];
            /**
             * @description Constraints that permit nothing or have no effect.
             * @example []
             */
            warnings?: {
                /**
                 * @description Whether they permit nothing (`empty`) or have no effect (`pointless`).
                 * @example empty
                 * @enum {string}
                 */
                warning: "empty" | "ungranted" | "pointless";
                /**
                 * @description What a constraint is about, or whether a user is a person or a service.
                 * @example host-ports
                 * @enum {string}
                 */
                kind: "host-ports" | "host-interfaces" | "images" | "mounts" | "privileges" | "networks" | "subnets" | "quota" | "shared-quota";
                /**
                 * @description The constraints, their ids, or how many were written.
                 * @example []
                 */
                constraints: number[];
            }[];
        };
        Decision: {
            /**
             * @description Whether everything requested is permitted.
             * @example refuse
             * @enum {string}
             */
            decision: "allow" | "refuse";
            /**
             * @description The decision in words.
             * @example host-ports 9000/tcp is outside the limit
             */
            message: string;
            /**
             * @description The user that is decided about.
             * @example {
             *       "id": 7,
             *       "login": "ann",
             *       "role": "user",
             *       "active": true
             *     }
             */
            subject: {
                /**
                 * @description The record's number.
                 * @example 7
                 */
                id: number;
                /**
                 * @description The name that the user signs in with; unique among logins and e-mails.
                 * @example ann
                 */
                login: string;
                /**
                 * @description What the user may do in the directory.
                 * @example user
                 */
                role: string;
                /**
                 * @description Whether the user may sign in and use tokens.
                 * @example true
                 */
                active: boolean;
            };
            /**
             * @description Why no constraint applies, if so; in the audit, whether an administrator acted on an engine.
             * @example administrator
             * @enum {string|null}
             */
            bypass: "administrator" | null;
            /**
             * @description Grows with every change; also the entity tag.
             * @example 12:34
             */
            version: string;
            /**
             * @description Each requested item with its outcome.
             * @example []
             */
            checks: {
                /**
                 * @description What a constraint is about, or whether a user is a person or a service.
                 * @example host-ports
                 * @enum {string}
                 */
                kind: "host-ports" | "host-interfaces" | "images" | "mounts" | "privileges" | "networks" | "subnets" | "quota" | "shared-quota" | "subject";
                /**
                 * @description The requested item.
                 * @example 9000/tcp
                 */
                item: string;
                /**
                 * @description Whether the item is permitted, or how the audited request ended.
                 * @example refuse
                 * @enum {string}
                 */
                outcome: "allow" | "refuse";
                /**
                 * @description Why the item is refused.
                 * @example []
                 */
                refusals: {
                    /**
                     * @description Why it is refused.
                     * @example outside-limit
                     */
                    reason: string;
                    /**
                     * @description The constraints, their ids, or how many were written.
                     * @example []
                     */
                    constraints: components["schemas"]["Constraint"][];
                }[];
                /**
                 * @description What would be permitted instead.
                 * @example [
                 *       "8000-8099/tcp"
                 *     ]
                 */
                passing: string[];
                /**
                 * @description What the user itself can do, as in `add --cpus 1 or less`.
                 * @example choose a port from 8000-8099
                 */
                remedy: string | null;
            }[];
            /**
             * @description For each requested port, the permitted ranges to choose from.
             * @example []
             */
            portChoices: {
                /**
                 * @description First port of the range.
                 * @example 8000
                 */
                start: number;
                /**
                 * @description Last port of the range.
                 * @example 8099
                 */
                end: number;
            }[][];
        };
        DecisionRequest: {
            /**
             * @description The user to decide about, by default yourself.
             * @example 7
             */
            userId?: number;
            /**
             * @description What a container would use.
             * @example {
             *       "ports": [
             *         {
             *           "hostPort": {
             *             "start": 9000,
             *             "end": 9000
             *           }
             *         }
             *       ]
             *     }
             */
            request: {
                /**
                 * @description Ports to publish.
                 * @default []
                 * @example [
                 *       {
                 *         "hostPort": {
                 *           "start": 9000,
                 *           "end": 9000
                 *         }
                 *       }
                 *     ]
                 */
                ports?: components["schemas"]["PortWish"][];
                /**
                 * @description Images, by all their references.
                 * @default []
                 * @example [
                 *       {
                 *         "references": [
                 *           "docker.io/library/nginx:1"
                 *         ]
                 *       }
                 *     ]
                 */
                images?: {
                    /**
                     * @description The name as the user typed it, for messages.
                     * @example Ann Lee
                     */
                    name?: string;
                    /**
                     * @description References of the image, any of which may be decided on.
                     * @example [
                     *       "docker.io/library/nginx:1"
                     *     ]
                     */
                    references: string[];
                    /**
                     * @description Further names of the same image.
                     * @default []
                     * @example [
                     *       "docker.io/acme/web:latest"
                     *     ]
                     */
                    aliases?: string[];
                }[];
                /**
                 * @description Mounted host folders.
                 * @default []
                 * @example [
                 *       {
                 *         "path": "/srv",
                 *         "readOnly": true
                 *       }
                 *     ]
                 */
                mounts?: {
                    /**
                     * @description An absolute path on the host, or of an attribute.
                     * @example /srv
                     */
                    path: string;
                    /**
                     * @description Whether it is read-only.
                     * @default false
                     * @example true
                     */
                    readOnly?: boolean;
                }[];
                /**
                 * @description Privileges of containers.
                 * @default []
                 * @example [
                 *       "capability:NET_ADMIN"
                 *     ]
                 */
                privileges?: string[];
                /**
                 * @description Number of networks, or the names of others' networks.
                 * @default []
                 * @example [
                 *       "teamnet"
                 *     ]
                 */
                networks?: string[];
                /**
                 * @description Subnets of own networks: CIDR blocks, or `*`.
                 * @default []
                 * @example [
                 *       "10.1.0.0/16"
                 *     ]
                 */
                subnets?: string[];
                /**
                 * @description How much of each resource is requested.
                 * @default {}
                 * @example {
                 *       "memory": 536870912
                 *     }
                 */
                quantities?: {
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    containers?: number | "unlimited";
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    "published-ports"?: number | "unlimited";
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    memory?: number | "unlimited";
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    cpu?: number | "unlimited";
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    pids?: number | "unlimited";
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    networks?: number | "unlimited";
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    storage?: number | "unlimited";
                };
                /**
                 * @description How much of each resource the user's containers already use.
                 * @default {}
                 * @example {
                 *       "containers": 3
                 *     }
                 */
                used?: {
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    containers?: number;
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    "published-ports"?: number;
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    memory?: number;
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    cpu?: number;
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    pids?: number;
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    networks?: number;
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    storage?: number;
                };
                /**
                 * @description For shared quotas, by the constraint's id, what their members' containers use; 0 if left out.
                 * @default {}
                 * @example {
                 *       "17": 3
                 *     }
                 */
                sharedUse?: {
                    [key: string]: number;
                };
            };
        };
        PortWish: {
            /**
             * @description Host address to bind; empty for every address.
             * @default
             * @example 127.0.0.1
             */
            hostIp?: string;
            /**
             * @description A range of host ports, or `dynamic`.
             * @example {
             *       "start": 9000,
             *       "end": 9000
             *     }
             */
            hostPort: "dynamic" | {
                /**
                 * @description First port of the range.
                 * @example 8000
                 */
                start: number;
                /**
                 * @description Last port of the range.
                 * @example 8099
                 */
                end: number;
            };
            /**
             * @description Transport protocol; all if omitted in a constraint.
             * @default tcp
             * @example tcp
             * @enum {string}
             */
            protocol?: "tcp" | "udp" | "sctp";
        };
        Session: {
            /**
             * @description Absent when the session is in a cookie.
             * @example bth_…
             */
            token?: string;
            /**
             * Format: date-time
             * @description When it expires; null for never.
             * @example 2030-01-31T08:00:00.000Z
             */
            expiresAt: string | null;
            /** @description The signed-in user. */
            user: components["schemas"]["User"];
        };
        SignIn: {
            /**
             * @description The name that the user signs in with; unique among logins and e-mails.
             * @example ann
             */
            login?: string;
            /**
             * @description The user's e-mail address; unique among logins and e-mails.
             * @example ann@example.test
             */
            email?: string;
            /**
             * @description The password; never returned.
             * @example correct horse battery
             */
            pass: string;
            /**
             * @description Six digits of the authenticator, or a recovery code. It counts for nothing where the user has no second factor.
             * @example 492039
             */
            code?: string;
            /**
             * @description Return the session in a cookie, for browsers.
             * @default false
             * @example false
             */
            cookie?: boolean;
        };
        Me: components["schemas"]["User"] & {
            /**
             * @description What the token may be used for.
             * @example [
             *       "read"
             *     ]
             */
            scopes: ("read" | "write" | "engine" | "report" | "pass" | "second-factor")[];
            /**
             * @description Id of the request's token; null for a client certificate.
             * @example 12
             */
            tokenId: number | null;
        };
        ChangePass: {
            /**
             * @description The present password; null for a user without one.
             * @default null
             * @example correct horse battery
             */
            current?: string | null;
            /**
             * @description The password; never returned.
             * @example correct horse battery
             */
            pass: string;
        };
        PassLink: {
            /**
             * @description The page's path, with the link's token in its fragment.
             * @example /srv
             */
            path: string;
            /**
             * Format: date-time
             * @description When it expires; null for never.
             * @example 2030-01-31T08:00:00.000Z
             */
            expiresAt: string;
        };
        LinkedPass: {
            /**
             * @description The password; never returned.
             * @example correct horse battery
             */
            pass: string;
        };
        SecondFactor: {
            /**
             * @description Whether sign-ins by password need a code.
             * @example active
             * @enum {string}
             */
            state: "none" | "active";
            /**
             * @description Whether the user has to have one.
             * @example false
             */
            required: boolean;
            /**
             * Format: date-time
             * @description When it was set up.
             * @example 2030-01-31T08:00:00.000Z
             */
            since: string | null;
            /**
             * @description How many recovery codes were not used yet.
             * @example 9
             */
            recoveryCodesLeft: number;
        };
        NewSecret: {
            /**
             * @description The secret, for typing it into an authenticator app; it is in this answer alone.
             * @example JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP
             */
            secret: string;
            /**
             * @description The same for a QR code.
             * @example otpauth://totp/Berth:ann?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Berth
             */
            uri: string;
        };
        NewSecondFactor: {
            /**
             * @description The password; never returned.
             * @example correct horse battery
             */
            pass: string;
        };
        RecoveryCodes: {
            /**
             * @description Codes that stand in for the second factor, once each; they are in this answer alone.
             * @example [
             *       "7KQ2-9XMB-40TZ-HR5W"
             *     ]
             */
            recoveryCodes: string[];
        };
        FactorCode: {
            /**
             * @description Six digits of the authenticator, or a recovery code. It counts for nothing where the user has no second factor.
             * @example 492039
             */
            code: string;
        };
        StartedDeviceLogin: {
            /**
             * @description The code that the command alone has.
             * @example bth_…
             */
            deviceCode: string;
            /**
             * @description The code that its user types.
             * @example BCDF-GHJK
             */
            userCode: string;
            /**
             * @description The page for that, with the code.
             * @example /device?code=BCDF-GHJK
             */
            path: string;
            /**
             * Format: date-time
             * @description When it expires; null for never.
             * @example 2030-01-31T08:00:00.000Z
             */
            expiresAt: string;
            /**
             * @description Seconds between two questions whether it is approved.
             * @example 2
             */
            interval: number;
        };
        NewDeviceLogin: {
            /**
             * @description What its user recognises the command by.
             * @example ann@laptop
             */
            label: string;
        };
        DeviceCode: {
            /**
             * @description The code that the command alone has.
             * @example bth_…
             */
            deviceCode: string;
        };
        DeviceLogin: {
            /**
             * @description What the command says it is.
             * @example ann@laptop
             */
            label: string;
            /**
             * @description The address that it asks from.
             * @example 192.0.2.7
             */
            address: string;
            /**
             * Format: date-time
             * @description When it expires; null for never.
             * @example 2030-01-31T08:00:00.000Z
             */
            expiresAt: string;
        };
        DeviceAnswer: {
            /**
             * @description Your answer.
             * @example approve
             * @enum {string}
             */
            answer: "approve" | "decline";
        };
        Token: {
            /**
             * @description The record's number.
             * @example 7
             */
            id: number;
            /**
             * @description Id of a user.
             * @example 7
             */
            userId: number;
            /**
             * @description What the token is for.
             * @example laptop
             */
            label: string;
            /**
             * @description What the token may be used for.
             * @example [
             *       "read"
             *     ]
             */
            scopes: ("read" | "write" | "engine" | "report" | "pass" | "second-factor")[];
            /**
             * Format: date-time
             * @description When it expires; null for never.
             * @example 2030-01-31T08:00:00.000Z
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was last used, to the minute.
             * @example 2030-01-31T08:00:00.000Z
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When the record was created.
             * @example 2030-01-31T08:00:00.000Z
             */
            createdAt: string;
        };
        IssuedToken: components["schemas"]["Token"] & {
            /**
             * @description The token's text.
             * @example bth_…
             */
            token: string;
        };
        NewToken: {
            /**
             * @description What the token is for.
             * @example laptop
             */
            label: string;
            /**
             * @description What the token may be used for.
             * @example [
             *       "read"
             *     ]
             */
            scopes: ("read" | "write" | "engine" | "report")[];
            /**
             * Format: date-time
             * @description When it expires; null for never.
             * @example 2030-01-31T08:00:00.000Z
             */
            expiresAt?: string | null;
            /**
             * @description The token's owner, by default yourself; only administrators may name others.
             * @example 7
             */
            userId?: number;
        };
        AuditEntry: {
            /**
             * @description The record's number.
             * @example 7
             */
            id: number;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2030-01-31T08:00:00.000Z
             */
            at: string;
            /**
             * @description Id of the user that did it; null for the service itself.
             * @example 1
             */
            actor: number | null;
            /**
             * @description A kind of record and what was done.
             * @example user.create
             */
            action: string;
            /**
             * @description The record it was done to.
             * @example user/7
             */
            target: string;
            /**
             * @description Whether the item is permitted, or how the audited request ended.
             * @example refused
             * @enum {string}
             */
            outcome: "done" | "refused" | "failed";
            /**
             * @description Why no constraint applies, if so; in the audit, whether an administrator acted on an engine.
             * @example false
             */
            bypass: boolean;
            /**
             * @description The record before.
             * @example null
             */
            before?: unknown;
            /**
             * @description The record after, or facts of the event.
             * @example {
             *       "login": "ann"
             *     }
             */
            after?: unknown;
        };
        AuditReport: {
            /**
             * @description The name of the container service's host.
             * @example build1
             */
            host: string;
            /**
             * @description What was done, at most 500 of them.
             * @example [
             *       {
             *         "reportId": "0c9f6a4e-6f0e-4d5b-9f0a-0d8f6a4e6f0e",
             *         "at": "2030-01-31T08:00:00.000Z",
             *         "actor": 7,
             *         "action": "container.start",
             *         "target": "container/web",
             *         "outcome": "done",
             *         "bypass": false,
             *         "details": {
             *           "via": "token"
             *         }
             *       }
             *     ]
             */
            entries: {
                /**
                 * Format: uuid
                 * @description The container service's own name for the entry: a repeat counts once.
                 * @example 0c9f6a4e-6f0e-4d5b-9f0a-0d8f6a4e6f0e
                 */
                reportId: string;
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2030-01-31T08:00:00.000Z
                 */
                at: string;
                /**
                 * @description Id of the user that did it; null for the service itself.
                 * @default null
                 * @example 1
                 */
                actor?: number | null;
                /**
                 * @description A kind of record and what was done.
                 * @example container.start
                 */
                action: string;
                /**
                 * @description The record it was done to.
                 * @example container/web
                 */
                target: string;
                /**
                 * @description Whether the item is permitted, or how the audited request ended.
                 * @example refused
                 * @enum {string}
                 */
                outcome: "done" | "refused" | "failed";
                /**
                 * @description Why no constraint applies, if so; in the audit, whether an administrator acted on an engine.
                 * @example false
                 */
                bypass: boolean;
                /**
                 * @description Facts of the action.
                 * @example {
                 *       "name": "web",
                 *       "via": "token"
                 *     }
                 */
                details: {
                    /**
                     * @description The name that the user signs in with; unique among logins and e-mails.
                     * @example ann
                     */
                    login?: string;
                    /**
                     * @description How the request reached the container service.
                     * @example token
                     * @enum {string}
                     */
                    via?: "administrators-socket" | "user-socket" | "token" | "certificate" | "service";
                    /**
                     * @description The address that the request came from.
                     * @example 192.0.2.7
                     */
                    address?: string;
                    /**
                     * @description A name for people to read.
                     * @example Ann Lee
                     */
                    name?: string;
                    /**
                     * @description Id of the user that owns it.
                     * @example 7
                     */
                    ownerId?: number;
                    /**
                     * @description The image as it was asked for.
                     * @example nginx
                     */
                    image?: string;
                    /**
                     * @description Why it is refused.
                     * @example outside-limit
                     */
                    reason?: string;
                    /**
                     * @description Whether to count all rows (`Total-Count`); in SCIM, the page size.
                     * @example 100
                     */
                    count?: number;
                };
            }[];
        };
        HostReport: {
            /**
             * @description The version of the container service.
             * @example 0.1.0
             */
            engineVersion: string;
            /**
             * @description Number of containers, or the containers themselves.
             * @example []
             */
            containers: {
                /**
                 * @description The record's number.
                 * @example 7
                 */
                id: string;
                /**
                 * @description A name for people to read.
                 * @example Ann Lee
                 */
                name: string;
                /**
                 * @description The image as it was asked for.
                 * @example nginx
                 */
                image: string;
                /**
                 * @description The container's state.
                 * @example running
                 * @enum {string}
                 */
                state: "created" | "running" | "paused" | "restarting" | "removing" | "exited" | "dead";
                /**
                 * Format: date-time
                 * @description When the record was created.
                 * @example 2030-01-31T08:00:00.000Z
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When the container was last started; null for never.
                 * @example 2030-01-31T08:00:00.000Z
                 */
                startedAt: string;
                /**
                 * @description Id of the user that owns it.
                 * @example 7
                 */
                ownerId: number | null;
            }[];
            /**
             * @description Host ports that containers hold, or that are reserved.
             * @example []
             */
            heldPorts: {
                /**
                 * @description Host address to bind; empty for every address.
                 * @example 127.0.0.1
                 */
                hostIp: string;
                /**
                 * @description First port of the range.
                 * @example 8000
                 */
                start: number;
                /**
                 * @description Last port of the range.
                 * @example 8099
                 */
                end: number;
                /**
                 * @description Transport protocol; all if omitted in a constraint.
                 * @example tcp
                 * @enum {string}
                 */
                protocol: "tcp" | "udp" | "sctp";
                /**
                 * Format: date-time
                 * @description First instant to include.
                 * @example 2030-01-31T08:00:00.000Z
                 */
                since: string;
                /**
                 * @description The container's port; null for a reservation.
                 * @example 80
                 */
                containerPort: number | null;
                /**
                 * @description The container that holds the port; null for a reservation.
                 * @example 0123456789ab
                 */
                containerId: string | null;
                /**
                 * @description The name of that container.
                 * @example web
                 */
                containerName: string | null;
                /**
                 * @description Id of the user that owns it.
                 * @example 7
                 */
                ownerId: number | null;
                /**
                 * @description The user or group that the port is reserved for; null if a container holds it.
                 * @example {
                 *       "type": "group",
                 *       "id": 2,
                 *       "name": "web"
                 *     }
                 */
                reservedFor: {
                    /**
                     * @description The kind of owner or value.
                     * @example group
                     * @enum {string}
                     */
                    type: "user" | "group";
                    /**
                     * @description The record's number.
                     * @example 7
                     */
                    id: number;
                    /**
                     * @description A name for people to read.
                     * @example Ann Lee
                     */
                    name: string;
                } | null;
            }[];
            /**
             * @description Host ports that other programs have open; which program has one, administrators alone see.
             * @default []
             * @example []
             */
            processPorts?: {
                /**
                 * @description Host address to bind; empty for every address.
                 * @example 127.0.0.1
                 */
                hostIp: string;
                /**
                 * @description The port's number.
                 * @example 22
                 */
                port: number;
                /**
                 * @description Transport protocol; all if omitted in a constraint.
                 * @example tcp
                 * @enum {string}
                 */
                protocol: "tcp" | "udp" | "sctp";
                /**
                 * @description The process that has the port; null where it is not known or not shown.
                 * @example 4711
                 */
                pid: number | null;
                /**
                 * @description The name of that process.
                 * @example sshd
                 */
                command: string | null;
            }[];
            /**
             * Format: date-time
             * @description From when on the host counts its refusals: a day ago, or the start of its service.
             * @example 2030-01-31T08:00:00.000Z
             */
            refusedSince?: string | null;
            /**
             * @description How often the host refused whom; time, action and reason are of the latest refusal.
             * @default []
             * @example []
             */
            refusedUsers?: {
                /**
                 * @description How often.
                 * @example 3
                 */
                times: number;
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2030-01-31T08:00:00.000Z
                 */
                at: string;
                /**
                 * @description A kind of record and what was done.
                 * @example user.create
                 */
                action: string;
                /**
                 * @description Why it is refused.
                 * @example outside-limit
                 */
                reason: string;
                /**
                 * @description Id of a user.
                 * @example 7
                 */
                userId: number | null;
            }[];
            /**
             * @description What the containers of each owner use.
             * @example [
             *       {
             *         "ownerId": 7,
             *         "used": {
             *           "containers": 3
             *         }
             *       }
             *     ]
             */
            usage: {
                /**
                 * @description Id of the user that owns it.
                 * @example 7
                 */
                ownerId: number;
                /**
                 * @description How much of each resource the user's containers already use.
                 * @example {
                 *       "containers": 3
                 *     }
                 */
                used: {
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    containers?: number;
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    "published-ports"?: number;
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    memory?: number;
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    cpu?: number;
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    pids?: number;
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    networks?: number;
                    /**
                     * @description Number of containers, or the containers themselves.
                     * @example 3
                     */
                    storage?: number;
                };
            }[];
        };
        Host: {
            /**
             * @description A name for people to read.
             * @example Ann Lee
             */
            name: string;
            /**
             * Format: date-time
             * @description When the host last reported.
             * @example 2030-01-31T08:00:00.000Z
             */
            reportedAt: string;
            /**
             * @description The version of the container service.
             * @example 0.1.0
             */
            engineVersion: string;
            /**
             * @description Number of containers, or the containers themselves.
             * @example []
             */
            containers: {
                /**
                 * @description The record's number.
                 * @example 7
                 */
                id: string;
                /**
                 * @description A name for people to read.
                 * @example Ann Lee
                 */
                name: string;
                /**
                 * @description The image as it was asked for.
                 * @example nginx
                 */
                image: string;
                /**
                 * @description The container's state.
                 * @example running
                 * @enum {string}
                 */
                state: "created" | "running" | "paused" | "restarting" | "removing" | "exited" | "dead";
                /**
                 * Format: date-time
                 * @description When the record was created.
                 * @example 2030-01-31T08:00:00.000Z
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When the container was last started; null for never.
                 * @example 2030-01-31T08:00:00.000Z
                 */
                startedAt: string | null;
                /**
                 * @description The user that it belongs to; null for an administrator of the host.
                 * @example null
                 */
                ownedBy: {
                    /**
                     * @description The record's number.
                     * @example 7
                     */
                    id: number;
                    /**
                     * @description The name that the user signs in with; unique among logins and e-mails.
                     * @example ann
                     */
                    login: string;
                } | null;
            }[];
            /**
             * @description Host ports that containers hold, or that are reserved.
             * @example []
             */
            heldPorts: {
                /**
                 * @description Host address to bind; empty for every address.
                 * @example 127.0.0.1
                 */
                hostIp: string;
                /**
                 * @description First port of the range.
                 * @example 8000
                 */
                start: number;
                /**
                 * @description Last port of the range.
                 * @example 8099
                 */
                end: number;
                /**
                 * @description Transport protocol; all if omitted in a constraint.
                 * @example tcp
                 * @enum {string}
                 */
                protocol: "tcp" | "udp" | "sctp";
                /**
                 * Format: date-time
                 * @description First instant to include.
                 * @example 2030-01-31T08:00:00.000Z
                 */
                since: string;
                /**
                 * @description The container's port; null for a reservation.
                 * @example 80
                 */
                containerPort: number | null;
                /**
                 * @description The container that holds the port; null for a reservation.
                 * @example 0123456789ab
                 */
                containerId: string | null;
                /**
                 * @description The name of that container.
                 * @example web
                 */
                containerName: string | null;
                /**
                 * @description The user that it belongs to; null for an administrator of the host.
                 * @example null
                 */
                ownedBy: {
                    /**
                     * @description The record's number.
                     * @example 7
                     */
                    id: number;
                    /**
                     * @description The name that the user signs in with; unique among logins and e-mails.
                     * @example ann
                     */
                    login: string;
                } | null;
                /**
                 * @description The user or group that the port is reserved for; null if a container holds it.
                 * @example {
                 *       "type": "group",
                 *       "id": 2,
                 *       "name": "web"
                 *     }
                 */
                reservedFor: {
                    /**
                     * @description The kind of owner or value.
                     * @example group
                     * @enum {string}
                     */
                    type: "user" | "group";
                    /**
                     * @description The record's number.
                     * @example 7
                     */
                    id: number;
                    /**
                     * @description A name for people to read.
                     * @example Ann Lee
                     */
                    name: string;
                } | null;
            }[];
            /**
             * @description Host ports that other programs have open; which program has one, administrators alone see.
             * @example []
             */
            processPorts: {
                /**
                 * @description Host address to bind; empty for every address.
                 * @example 127.0.0.1
                 */
                hostIp: string;
                /**
                 * @description The port's number.
                 * @example 22
                 */
                port: number;
                /**
                 * @description Transport protocol; all if omitted in a constraint.
                 * @example tcp
                 * @enum {string}
                 */
                protocol: "tcp" | "udp" | "sctp";
                /**
                 * @description The process that has the port; null where it is not known or not shown.
                 * @example 4711
                 */
                pid: number | null;
                /**
                 * @description The name of that process.
                 * @example sshd
                 */
                command: string | null;
            }[];
            /**
             * Format: date-time
             * @description From when on the host counts its refusals: a day ago, or the start of its service.
             * @example 2030-01-31T08:00:00.000Z
             */
            refusedSince: string | null;
            /**
             * @description How often the host refused whom; time, action and reason are of the latest refusal.
             * @example []
             */
            refusedUsers: {
                /**
                 * @description How often.
                 * @example 3
                 */
                times: number;
                /**
                 * Format: date-time
                 * @description When it happened.
                 * @example 2030-01-31T08:00:00.000Z
                 */
                at: string;
                /**
                 * @description A kind of record and what was done.
                 * @example user.create
                 */
                action: string;
                /**
                 * @description Why it is refused.
                 * @example outside-limit
                 */
                reason: string;
                /**
                 * @description The user; null for strangers and for administrators of the host.
                 * @example null
                 */
                user: {
                    /**
                     * @description The record's number.
                     * @example 7
                     */
                    id: number;
                    /**
                     * @description The name that the user signs in with; unique among logins and e-mails.
                     * @example ann
                     */
                    login: string;
                } | null;
            }[];
        };
        Usage: {
            /**
             * @description The user.
             * @example {
             *       "id": 7,
             *       "login": "ann"
             *     }
             */
            user: {
                /**
                 * @description The record's number.
                 * @example 7
                 */
                id: number;
                /**
                 * @description The name that the user signs in with; unique among logins and e-mails.
                 * @example ann
                 */
                login: string;
            };
            /**
             * @description How much of each resource the user's containers already use.
             * @example {
             *       "containers": 3
             *     }
             */
            used: {
                /**
                 * @description Number of containers, or the containers themselves.
                 * @example 3
                 */
                containers?: number;
                /**
                 * @description Number of containers, or the containers themselves.
                 * @example 3
                 */
                "published-ports"?: number;
                /**
                 * @description Number of containers, or the containers themselves.
                 * @example 3
                 */
                memory?: number;
                /**
                 * @description Number of containers, or the containers themselves.
                 * @example 3
                 */
                cpu?: number;
                /**
                 * @description Number of containers, or the containers themselves.
                 * @example 3
                 */
                pids?: number;
                /**
                 * @description Number of containers, or the containers themselves.
                 * @example 3
                 */
                networks?: number;
                /**
                 * @description Number of containers, or the containers themselves.
                 * @example 3
                 */
                storage?: number;
            };
            /**
             * @description What has no quota is left out.
             * @example {
             *       "containers": 20
             *     }
             */
            quotas: {
                /**
                 * @description Number of containers, or the containers themselves.
                 * @example 3
                 */
                containers?: number;
                /**
                 * @description Number of containers, or the containers themselves.
                 * @example 3
                 */
                "published-ports"?: number;
                /**
                 * @description Number of containers, or the containers themselves.
                 * @example 3
                 */
                memory?: number;
                /**
                 * @description Number of containers, or the containers themselves.
                 * @example 3
                 */
                cpu?: number;
                /**
                 * @description Number of containers, or the containers themselves.
                 * @example 3
                 */
                pids?: number;
                /**
                 * @description Number of containers, or the containers themselves.
                 * @example 3
                 */
                networks?: number;
                /**
                 * @description Number of containers, or the containers themselves.
                 * @example 3
                 */
                storage?: number;
            };
        };
        ImportedDirectory: {
            /**
             * @description How many users were written.
             * @example 250
             */
            users: number;
            /**
             * @description How many groups were written, or the groups that a user is in.
             * @example 12
             */
            groups: number;
            /**
             * @description How many groups were put into groups.
             * @example 3
             */
            subgroups: number;
            /**
             * @description How many users were put into groups.
             * @example 400
             */
            memberships: number;
            /**
             * @description The constraints, their ids, or how many were written.
             * @example 30
             */
            constraints: number;
            /**
             * @description How many users and groups existed and were kept as they are.
             * @example 1
             */
            kept: number;
        };
        ScimError: {
            /**
             * @description URNs of the resource or message.
             * @example [
             *       "urn:ietf:params:scim:schemas:core:2.0:User"
             *     ]
             */
            schemas: string[];
            /**
             * @description The HTTP status.
             * @example 409
             */
            status: string;
            /**
             * @description The kind of failure (RFC 7644, table 9).
             * @example uniqueness
             */
            scimType?: string;
            /**
             * @description What was wrong, for people.
             * @example The login is taken.
             */
            detail: string;
        };
        Place: {
            /**
             * @description The record's number.
             * @example 7
             */
            id: number;
            /**
             * @description A name for people to read.
             * @example Ann Lee
             */
            name: string;
            /**
             * @description Whose place it is.
             * @example {
             *       "id": 7,
             *       "login": "ann"
             *     }
             */
            user: {
                /**
                 * @description The record's number.
                 * @example 7
                 */
                id: number;
                /**
                 * @description The name that the user signs in with; unique among logins and e-mails.
                 * @example ann
                 */
                login: string;
            };
            /**
             * @description The name of the container service's host.
             * @example build1
             */
            host: string;
            /**
             * @description What Docker clients connect to.
             * @example tcp://h1.example.test:2375/places/ci
             */
            address: string | null;
            /**
             * @description Memory in bytes.
             * @example 536870912
             */
            memory: number;
            /**
             * @description Processors.
             * @example 1.5
             */
            cpus: number;
            /**
             * @description Number of processes.
             * @example 100
             */
            pids: number;
            /**
             * @description Host ports of its own.
             * @example [
             *       "8080/tcp"
             *     ]
             */
            ports: string[];
            /**
             * @description The container's state.
             * @example wanted
             * @enum {string}
             */
            state: "wanted" | "ready" | "ending";
            /**
             * Format: date-time
             * @description First instant to include.
             * @example 2030-01-31T08:00:00.000Z
             */
            since: string;
            /**
             * @description Seconds that are left; null where it lasts until it is given back.
             * @example 7200
             */
            secondsLeft: number | null;
            /**
             * @description Number of containers, or the containers themselves.
             * @example 3
             */
            containers: number;
        };
        NewPlace: {
            /**
             * @description Unique among the places of its user.
             * @example ci
             */
            name: string;
            /**
             * @description Id of a user.
             * @example 7
             */
            userId?: number;
            /**
             * @description The name of the container service's host.
             * @example build1
             */
            host?: string;
            /**
             * @description Memory in bytes.
             * @example 536870912
             */
            memory: number;
            /**
             * @description Processors.
             * @example 1.5
             */
            cpus: number;
            /**
             * @description Number of processes.
             * @default 1024
             * @example 100
             */
            pids?: number;
            /**
             * @description Host ports of its own.
             * @default []
             * @example [
             *       "8080/tcp"
             *     ]
             */
            ports?: string[];
            /**
             * @description How long it lasts from now; until it is given back if omitted.
             * @example 7200
             */
            seconds?: number;
        };
        PlaceExtension: {
            /**
             * @description How long it lasts from now; until it is given back if omitted.
             * @example 7200
             */
            seconds: number;
        };
        FleetHost: {
            /**
             * @description A name for people to read.
             * @example Ann Lee
             */
            name: string;
            /**
             * @description Where Docker clients reach the host.
             * @example tcp://h1.example.test:2375
             */
            address: string;
            /**
             * @description Memory in bytes.
             * @example 536870912
             */
            memory: number;
            /**
             * @description Processors.
             * @example 1.5
             */
            cpus: number;
            /**
             * @description Memory that no place has, in bytes.
             * @example 8589934592
             */
            memoryFree: number;
            /**
             * @description Processors that no place has.
             * @example 6.5
             */
            cpusFree: number;
            /**
             * @description How many places it holds.
             * @example 2
             */
            places: number;
            /**
             * @description Whether the host is granted no more places.
             * @example false
             */
            isDraining: boolean;
            /**
             * @description Whether the host was heard of just now.
             * @example true
             */
            isAlive: boolean;
            /**
             * Format: date-time
             * @description When the host was last heard of.
             * @example 2030-01-31T08:00:00.000Z
             */
            seenAt: string;
        };
        WantedPlaces: {
            /**
             * @description Whether the item is permitted, or how the audited request ended.
             * @example accepted
             * @enum {string}
             */
            outcome: "accepted" | "stale" | "unknown";
            /**
             * @description The number that the host's next report carries; null for none yet.
             * @example 41
             */
            turn: number | null;
            /**
             * @description The places that the host has to have.
             * @example []
             */
            places: {
                /**
                 * @description The place's id.
                 * @example 17
                 */
                grant: number;
                /**
                 * @description A name for people to read.
                 * @example Ann Lee
                 */
                name: string;
                /**
                 * @description Id of a user.
                 * @example 7
                 */
                userId: number;
                /**
                 * @description Memory in bytes.
                 * @example 536870912
                 */
                memory: number;
                /**
                 * @description Processors.
                 * @example 1.5
                 */
                cpus: number;
                /**
                 * @description Number of processes.
                 * @example 100
                 */
                pids: number;
                /**
                 * @description Host ports of its own.
                 * @example [
                 *       "8080/tcp"
                 *     ]
                 */
                ports: string[];
                /**
                 * @description Seconds that are left; null where it lasts until it is given back.
                 * @example 7200
                 */
                secondsLeft: number | null;
                /**
                 * @description The uid of its Pod, if Kubernetes placed it.
                 * @example null
                 */
                pod: string | null;
            }[];
        };
        PlacesReport: {
            /**
             * @description The number that the host's next report carries; null for none yet.
             * @example 41
             */
            turn: number | null;
            /**
             * @description How long the answer may wait for a change.
             * @example 10
             */
            waitSeconds: number;
            /**
             * @description Where Docker clients reach the host.
             * @example tcp://h1.example.test:2375
             */
            address: string;
            /**
             * @description Memory in bytes.
             * @example 536870912
             */
            memory: number;
            /**
             * @description Processors.
             * @example 1.5
             */
            cpus: number;
            /**
             * @description The places of the fleet that the host has.
             * @example []
             */
            places: {
                /**
                 * @description The place's id.
                 * @example 17
                 */
                grant: number;
                /**
                 * @description The container's state.
                 * @example taken
                 * @enum {string}
                 */
                state: "taken" | "ready" | "ending";
                /**
                 * @description Seconds that are left; null where it lasts until it is given back.
                 * @example 7200
                 */
                secondsLeft: number | null;
                /**
                 * @description Number of containers, or the containers themselves.
                 * @example 3
                 */
                containers: number;
            }[];
            /**
             * @description Places that the host could not take, and why.
             * @example []
             */
            refused: {
                /**
                 * @description The place's id.
                 * @example 17
                 */
                grant: number;
                /**
                 * @description Why it is refused.
                 * @example outside-limit
                 */
                reason: string;
            }[];
        };
        FleetHostPatch: {
            /**
             * @description Whether the host is granted no more places.
             * @example false
             */
            isDraining: boolean;
        };
        WaysToSignIn: {
            /**
             * @description Sign-in at a provider of OpenID Connect; null without one.
             * @example null
             */
            sso: {
                /**
                 * @description What the provider is called.
                 * @example Example Inc.
                 */
                name: string;
                /**
                 * @description Where a browser begins.
                 * @example /api/sso/start
                 */
                path: string;
                /**
                 * @description Where one signs out at the provider too.
                 * @example null
                 */
                signOutUrl: string | null;
            } | null;
        };
        Identity: {
            /**
             * @description The provider.
             * @example https://id.example.com
             */
            issuer: string;
            /**
             * @description The provider's own id of the person.
             * @example 248289761001
             */
            subject: string;
            /**
             * Format: date-time
             * @description When the person first signed in.
             * @example 2030-01-31T08:00:00.000Z
             */
            since: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listUsers: {
        parameters: {
            query?: {
                /**
                 * @description The name that the user signs in with; unique among logins and e-mails.
                 * @example ann
                 */
                login?: string;
                /**
                 * @description The user's e-mail address; unique among logins and e-mails.
                 * @example ann@example.test
                 */
                email?: string;
                /**
                 * @description Prefix of a login, an e-mail or a name.
                 * @example an
                 */
                q?: string;
                /**
                 * @description Id of a group that the user is in.
                 * @example 2
                 */
                group?: number;
                /**
                 * @description Whether the user may sign in and use tokens.
                 * @example true
                 */
                active?: "true" | "false";
                /**
                 * @description What the user may do in the directory.
                 * @example user
                 */
                role?: "user" | "operator" | "admin";
                /**
                 * @description What a constraint is about, or whether a user is a person or a service.
                 * @example person
                 */
                kind?: "person" | "service";
                /**
                 * @description The record's id in another system.
                 * @example 00u1x2y3
                 */
                externalId?: string;
                /**
                 * @description The field to sort by; with a leading `-` descending.
                 * @example id
                 */
                sort?: "id" | "-id" | "login" | "-login" | "email" | "-email" | "createdAt" | "-createdAt";
                /**
                 * @description Page size; the whole list if omitted.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Where the page starts; from the `Link` header of the previous one.
                 * @example WzcsN10.c2ln
                 */
                cursor?: string;
                /**
                 * @description Whether to count all rows (`Total-Count`); in SCIM, the page size.
                 * @example true
                 */
                count?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The users */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"][];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes repeats of the request one create, for 24 hours.
                 * @example create-ann-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUser"];
            };
        };
        responses: {
            /** @description The user */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the user.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replaceUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the versions that may be changed.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Id of the user.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplacedUser"];
            };
        };
        responses: {
            /** @description The user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The record has changed */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description If-Match is required */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the versions that may be changed.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Id of the user.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The record has changed */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description If-Match is required */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the versions that may be changed.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Id of the user.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchedUser"];
                "application/json": components["schemas"]["PatchedUser"];
            };
        };
        responses: {
            /** @description The user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The record has changed */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description If-Match is required */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUserGroups: {
        parameters: {
            query?: {
                /**
                 * @description Page size; the whole list if omitted.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Where the page starts; from the `Link` header of the previous one.
                 * @example WzcsN10.c2ln
                 */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the user.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The groups */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupOfUser"][];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listGroups: {
        parameters: {
            query?: {
                /**
                 * @description A name for people to read.
                 * @example Ann Lee
                 */
                name?: string;
                /**
                 * @description Prefix of a login, an e-mail or a name.
                 * @example an
                 */
                q?: string;
                /**
                 * @description The record's id in another system.
                 * @example 00u1x2y3
                 */
                externalId?: string;
                /**
                 * @description The field to sort by; with a leading `-` descending.
                 * @example id
                 */
                sort?: "id" | "-id" | "name" | "-name";
                /**
                 * @description Page size; the whole list if omitted.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Where the page starts; from the `Link` header of the previous one.
                 * @example WzcsN10.c2ln
                 */
                cursor?: string;
                /**
                 * @description Whether to count all rows (`Total-Count`); in SCIM, the page size.
                 * @example true
                 */
                count?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The groups */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"][];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createGroup: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes repeats of the request one create, for 24 hours.
                 * @example create-ann-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewGroup"];
            };
        };
        responses: {
            /** @description The group */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the group.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The group */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replaceGroup: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the versions that may be changed.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Id of the group.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplacedGroup"];
            };
        };
        responses: {
            /** @description The group */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The record has changed */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description If-Match is required */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteGroup: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the versions that may be changed.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Id of the group.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The record has changed */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description If-Match is required */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateGroup: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the versions that may be changed.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Id of the group.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchedGroup"];
                "application/json": components["schemas"]["PatchedGroup"];
            };
        };
        responses: {
            /** @description The group */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The record has changed */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description If-Match is required */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listGroupMembers: {
        parameters: {
            query?: {
                /**
                 * @description Page size; the whole list if omitted.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Where the page starts; from the `Link` header of the previous one.
                 * @example WzcsN10.c2ln
                 */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the group.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The members */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"][];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putGroupMember: {
        parameters: {
            query?: {
                /**
                 * @description What the user may do in the directory.
                 * @example member
                 */
                role?: "member" | "manager";
            };
            header?: never;
            path: {
                /**
                 * @description Id of the group.
                 * @example 7
                 */
                id: number;
                /**
                 * @description Id of the user.
                 * @example 7
                 */
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Invited; a member once the user accepts */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A member */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeGroupMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the group.
                 * @example 7
                 */
                id: number;
                /**
                 * @description Id of the user.
                 * @example 7
                 */
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No member */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUserInvitations: {
        parameters: {
            query?: {
                /**
                 * @description Page size; the whole list if omitted.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Where the page starts; from the `Link` header of the previous one.
                 * @example WzcsN10.c2ln
                 */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the user.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"][];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listGroupInvitations: {
        parameters: {
            query?: {
                /**
                 * @description Page size; the whole list if omitted.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Where the page starts; from the `Link` header of the previous one.
                 * @example WzcsN10.c2ln
                 */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the group.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invited users */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invited"][];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listGroupSubgroups: {
        parameters: {
            query?: {
                /**
                 * @description Page size; the whole list if omitted.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Where the page starts; from the `Link` header of the previous one.
                 * @example WzcsN10.c2ln
                 */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the group.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subgroups */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"][];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putSubgroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the group.
                 * @example 7
                 */
                id: number;
                /**
                 * @description Id of the subgroup.
                 * @example 7
                 */
                subgroupId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A subgroup */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeSubgroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the group.
                 * @example 7
                 */
                id: number;
                /**
                 * @description Id of the subgroup.
                 * @example 7
                 */
                subgroupId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No subgroup */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUserConstraints: {
        parameters: {
            query?: {
                /**
                 * @description Page size; the whole list if omitted.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Where the page starts; from the `Link` header of the previous one.
                 * @example WzcsN10.c2ln
                 */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the user.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The constraints */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Constraint"][];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createUserConstraint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes repeats of the request one create, for 24 hours.
                 * @example create-ann-1
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of the user.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewConstraint"];
            };
        };
        responses: {
            /** @description The constraint */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Constraint"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listGroupConstraints: {
        parameters: {
            query?: {
                /**
                 * @description Page size; the whole list if omitted.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Where the page starts; from the `Link` header of the previous one.
                 * @example WzcsN10.c2ln
                 */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the group.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The constraints */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Constraint"][];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createGroupConstraint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes repeats of the request one create, for 24 hours.
                 * @example create-ann-1
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of the group.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewConstraint"];
            };
        };
        responses: {
            /** @description The constraint */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Constraint"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getConstraint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the constraint.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The constraint */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Constraint"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replaceConstraint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the versions that may be changed.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Id of the constraint.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewConstraint"];
            };
        };
        responses: {
            /** @description The constraint */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Constraint"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The record has changed */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description If-Match is required */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteConstraint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the versions that may be changed.
                 * @example "3"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Id of the constraint.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The record has changed */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description If-Match is required */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSharers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the constraint.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SharersRequest"];
            };
        };
        responses: {
            /** @description Those of the ids that share it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number[];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEffectiveConstraints: {
        parameters: {
            query?: {
                /**
                 * @description Constraints that permit nothing or have no effect.
                 * @example true
                 */
                warnings?: "true" | "false";
            };
            header?: never;
            path: {
                /**
                 * @description Id of the user.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The effective constraints */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EffectiveConstraints"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    decide: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionRequest"];
            };
        };
        responses: {
            /** @description The decision */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    followEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description A session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A code is required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many attempts */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description You */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePass"];
            };
        };
        responses: {
            /** @description Changed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createUserPassLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the user.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PassLink"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replacePas: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkedPass"];
            };
        };
        responses: {
            /** @description Set */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the user.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactor"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resetSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the user.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed, or there was none */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorCode"];
            };
        };
        responses: {
            /** @description It is on: your recovery codes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many attempts */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    beginSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSecondFactor"];
            };
        };
        responses: {
            /** @description The secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewSecret"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many attempts */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorCode"];
            };
        };
        responses: {
            /** @description The new codes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many attempts */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    disableSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorCode"];
            };
        };
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many attempts */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startDeviceLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDeviceLogin"];
            };
        };
        responses: {
            /** @description The codes */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedDeviceLogin"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many attempts */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finishDeviceLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceCode"];
            };
        };
        responses: {
            /** @description The token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description Nobody has answered yet */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDeviceLogin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the resource.
                 * @example build1
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The command */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceLogin"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    answerDeviceLogin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the resource.
                 * @example build1
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceAnswer"];
            };
        };
        responses: {
            /** @description Answered */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /**
                 * @description Id of a user.
                 * @example 7
                 */
                userId?: number;
                /**
                 * @description Page size; the whole list if omitted.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Where the page starts; from the `Link` header of the previous one.
                 * @example WzcsN10.c2ln
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tokens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"][];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewToken"];
            };
        };
        responses: {
            /** @description The token */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedToken"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the token.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /**
                 * @description Id of the user that acted, or that was acted on, with its constraints, memberships and containers.
                 * @example 7
                 */
                user?: number;
                /**
                 * @description Id of the user that did it; null for the service itself.
                 * @example 1
                 */
                actor?: number;
                /**
                 * @description The record it was done to.
                 * @example user/7
                 */
                target?: string;
                /**
                 * @description A kind of record and what was done.
                 * @example user.create
                 */
                action?: string;
                /**
                 * @description Whether the item is permitted, or how the audited request ended.
                 * @example refused
                 */
                outcome?: "done" | "refused" | "failed";
                /**
                 * @description Why no constraint applies, if so; in the audit, whether an administrator acted on an engine.
                 * @example true
                 */
                bypass?: "true" | "false";
                /**
                 * @description First instant to include.
                 * @example 2030-01-31T08:00:00.000Z
                 */
                since?: string;
                /**
                 * @description First instant to exclude.
                 * @example 2030-02-28T08:00:00.000Z
                 */
                until?: string;
                /**
                 * @description Page size; the whole list if omitted.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Where the page starts; from the `Link` header of the previous one.
                 * @example WzcsN10.c2ln
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntry"][];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reportEngineActions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuditReport"];
            };
        };
        responses: {
            /** @description Every entry is in the audit */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reportHost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the host.
                 * @example build1
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostReport"];
            };
        };
        responses: {
            /** @description Kept instead of the host's last report */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listHosts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hosts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Host"][];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The users that have containers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"][];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportUsers: {
        parameters: {
            query?: {
                /**
                 * @description The format of the export.
                 * @example json
                 */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The users */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    importUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
                "text/csv": string;
            };
        };
        responses: {
            /** @description How many were created */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description How many users were created.
                         * @example 250
                         */
                        imported: number;
                    };
                    "application/x-ndjson": string;
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportDirectory: {
        parameters: {
            query?: {
                /**
                 * @description Whether users carry their password's hash.
                 * @example true
                 */
                passwords?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The directory */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    importDirectory: {
        parameters: {
            query?: {
                /**
                 * @description What to do with users and groups that exist.
                 * @example refuse
                 */
                existing?: "refuse" | "keep" | "replace";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description How many were written */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedDirectory"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPlaces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The places */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Place"][];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    takePlace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPlace"];
            };
        };
        responses: {
            /** @description The place; `wanted` where its host has not answered yet */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Place"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    extendPlace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the resource.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlaceExtension"];
            };
        };
        responses: {
            /** @description The place */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Place"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    givePlace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the resource.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its host is still ending it */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nothing of it is left */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listFleetHosts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hosts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FleetHost"][];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reportPlaces: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the resource.
                 * @example build1
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlacesReport"];
            };
        };
        responses: {
            /** @description What the host has to have */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WantedPlaces"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forgetHost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the resource.
                 * @example build1
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Forgotten */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    drainHost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the resource.
                 * @example build1
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FleetHostPatch"];
            };
        };
        responses: {
            /** @description The host */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FleetHost"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWaysToSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ways */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaysToSignIn"];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startSso: {
        parameters: {
            query?: {
                /**
                 * @description Where to go once signed in.
                 * @example /ports
                 */
                returnTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the provider, or to the console, which says what is wrong */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finishSso: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the console, with a session cookie, or with what is wrong */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUserIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the user.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identities */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Identity"][];
                };
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Database unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unlinkIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the user.
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Unlinked */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Authentication required */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No space left */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
