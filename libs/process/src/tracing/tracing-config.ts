import { EnvError, makeExactValidator } from 'envalid';
import type { Parsed } from '../parse-config.js';
import { bool, integer, milliseconds, sensitive, str, url } from '../validators.js';

const ratio = makeExactValidator<number>((input) => {
  const value = Number(input);
  if (!/^[01](\.\d+)?$/.test(input) || value > 1) throw new EnvError('expected a ratio, 0 to 1');
  return value;
});

/** OpenTelemetry's own variables, with its meanings and defaults. What else an OTLP exporter knows, it reads itself. */
export const tracingEnv = {
  OTEL_EXPORTER_OTLP_ENDPOINT: sensitive(
    url({
      default: undefined,
      desc: 'where spans go, by OTLP over HTTP; nothing is recorded without',
    }),
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: str({
    default: 'http/protobuf',
    choices: ['http/protobuf', 'http/json'],
    desc: 'how spans are written',
  }),
  OTEL_SERVICE_NAME: str({ default: undefined, desc: "instead of the service's own name" }),
  OTEL_SDK_DISABLED: bool({ default: false, desc: 'records nothing, whatever else is set' }),
  OTEL_TRACES_SAMPLER: str({
    default: 'parentbased_always_on',
    choices: [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
    desc: 'which traces are recorded',
  }),
  OTEL_TRACES_SAMPLER_ARG: ratio({ default: 1, desc: 'how many, for the traceidratio samplers' }),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds({ min: 1, default: 5_000, desc: 'between two exports' }),
  OTEL_BSP_MAX_QUEUE_SIZE: integer({ min: 1, default: 2_048, desc: 'spans beyond are dropped' }),
};

export type TracingConfig = Parsed<typeof tracingEnv>;
