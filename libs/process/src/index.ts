export { ConfigurationError } from './configuration-error.js';
export { collectProblems } from './collect-problems.js';
export { parseConfig, type Parsed } from './parse-config.js';
export { Reloadable } from './config-files/reloadable.js';
export { watchFiles } from './config-files/file-watch.js';
export { freezeConfig } from './freeze-config.js';
export {
  basisPoints,
  bool,
  integer,
  list,
  makeValidator,
  milliseconds,
  pem,
  port,
  reloadable,
  secret,
  sensitive,
  str,
  url,
  type ReloadableMark,
} from './validators.js';
export { createLogger, type Logger } from './logger.js';
export { type HealthReport, type HealthResult } from './health-checks.js';
export { ServiceContext } from './service-context.js';
export { FAULT_POINTS, faultPoint, type FaultPoint } from './fault-points.js';
export { WakeSignal } from './wake-signal.js';
export { withUrlOrigins } from './with-url-origins.js';
export { currentTraceparent, joinTrace, runInTrace, traceHeaders } from './tracing/active-trace.js';
export {
  continueTrace,
  enterTrace,
  withSpan,
  type RecordedSpan,
  type TraceScope,
} from './tracing/spans.js';
export { isRecording as isRecordingSpans } from './tracing/recorder.js';
export { startTracing } from './tracing/start-tracing.js';
export { tracingEnv } from './tracing/tracing-config.js';
export { RepeatedWarning } from './repeated-warning.js';
export { settlesWithin, TimeoutError, withTimeout } from './with-timeout.js';
export { unlessAborted } from './unless-aborted.js';
