// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface PingRequest {
}

export interface PingRequest__Output {
}
