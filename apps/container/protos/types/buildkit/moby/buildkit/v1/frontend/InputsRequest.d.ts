// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface InputsRequest {
}

export interface InputsRequest__Output {
}
