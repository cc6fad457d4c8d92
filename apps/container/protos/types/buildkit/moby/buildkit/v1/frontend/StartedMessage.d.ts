// Original file: protos/github.com/moby/buildkit/frontend/gateway/pb/gateway.proto


export interface StartedMessage {
}

export interface StartedMessage__Output {
}
