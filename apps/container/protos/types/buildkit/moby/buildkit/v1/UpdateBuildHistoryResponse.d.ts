// Original file: protos/github.com/moby/buildkit/api/services/control/control.proto


export interface UpdateBuildHistoryResponse {
}

export interface UpdateBuildHistoryResponse__Output {
}
