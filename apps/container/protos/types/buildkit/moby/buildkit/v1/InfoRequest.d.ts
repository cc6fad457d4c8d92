// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto


export interface InfoRequest {
}

export interface InfoRequest__Output {
}
