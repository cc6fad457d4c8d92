// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto

import type { Definition as _pb_Definition, Definition__Output as _pb_Definition__Output } from '../../../pb/Definition.js';
import type { CacheOptions as _moby_buildkit_v1_CacheOptions, CacheOptions__Output as _moby_buildkit_v1_CacheOptions__Output } from '../../../moby/buildkit/v1/CacheOptions.js';
import type { Policy as _moby_buildkit_v1_sourcepolicy_Policy, Policy__Output as _moby_buildkit_v1_sourcepolicy_Policy__Output } from '../../../moby/buildkit/v1/sourcepolicy/Policy.js';
import type { Exporter as _moby_buildkit_v1_Exporter, Exporter__Output as _moby_buildkit_v1_Exporter__Output } from '../../../moby/buildkit/v1/Exporter.js';

export interface SolveRequest {
  'Ref'?: (string);
  'Definition'?: (_pb_Definition | null);
  'ExporterDeprecated'?: (string);
  'ExporterAttrsDeprecated'?: ({[key: string]: string});
  'Session'?: (string);
  'Frontend'?: (string);
  'FrontendAttrs'?: ({[key: string]: string});
  'Cache'?: (_moby_buildkit_v1_CacheOptions | null);
  'Entitlements'?: (string)[];
  'FrontendInputs'?: ({[key: string]: _pb_Definition});
  'Internal'?: (boolean);
  'SourcePolicy'?: (_moby_buildkit_v1_sourcepolicy_Policy | null);
  'Exporters'?: (_moby_buildkit_v1_Exporter)[];
  'EnableSessionExporter'?: (boolean);
}

export interface SolveRequest__Output {
  'Ref'?: (string);
  'Definition'?: (_pb_Definition__Output);
  'ExporterDeprecated'?: (string);
  'ExporterAttrsDeprecated'?: ({[key: string]: string});
  'Session'?: (string);
  'Frontend'?: (string);
  'FrontendAttrs'?: ({[key: string]: string});
  'Cache'?: (_moby_buildkit_v1_CacheOptions__Output);
  'Entitlements'?: (string)[];
  'FrontendInputs'?: ({[key: string]: _pb_Definition__Output});
  'Internal'?: (boolean);
  'SourcePolicy'?: (_moby_buildkit_v1_sourcepolicy_Policy__Output);
  'Exporters'?: (_moby_buildkit_v1_Exporter__Output)[];
  'EnableSessionExporter'?: (boolean);
}
