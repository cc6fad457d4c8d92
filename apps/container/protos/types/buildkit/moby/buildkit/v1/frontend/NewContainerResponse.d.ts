// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface NewContainerResponse {
}

export interface NewContainerResponse__Output {
}
