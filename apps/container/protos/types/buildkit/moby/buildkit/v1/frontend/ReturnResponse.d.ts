// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface ReturnResponse {
}

export interface ReturnResponse__Output {
}
