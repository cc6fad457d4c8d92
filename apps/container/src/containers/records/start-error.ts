import { EngineError } from "../../engine/errors.ts";

/** The process could not be executed: Docker answers 400 and records the exit code that a shell would return. */
export class StartError extends EngineError {
  /** 127: not found. 126: found but not executable. */
  readonly exitCode: 126 | 127;

  constructor(exitCode: 126 | 127, message: string, options?: ErrorOptions) {
    super("invalid", message, options);
    this.exitCode = exitCode;
  }
}
