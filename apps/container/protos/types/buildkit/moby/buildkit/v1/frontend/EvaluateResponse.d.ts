// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface EvaluateResponse {
}

export interface EvaluateResponse__Output {
}
