// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface ReleaseContainerResponse {
}

export interface ReleaseContainerResponse__Output {
}
