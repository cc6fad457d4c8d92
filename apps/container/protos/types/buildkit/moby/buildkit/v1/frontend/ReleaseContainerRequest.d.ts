// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface ReleaseContainerRequest {
  'ContainerID'?: (string);
}

export interface ReleaseContainerRequest__Output {
  'ContainerID'?: (string);
}
