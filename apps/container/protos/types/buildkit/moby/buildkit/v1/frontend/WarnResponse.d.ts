// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface WarnResponse {
}

export interface WarnResponse__Output {
}
