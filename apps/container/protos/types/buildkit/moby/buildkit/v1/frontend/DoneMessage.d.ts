// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface DoneMessage {
}

export interface DoneMessage__Output {
}
