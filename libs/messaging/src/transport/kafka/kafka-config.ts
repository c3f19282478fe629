import {
  bool,
  ConfigurationError,
  list,
  parseConfig,
  pem,
  sensitive,
  str,
  type Parsed,
} from '@bascule/process';

const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
type Mechanism = (typeof MECHANISMS)[number];

/** Environment variables of Kafka, read by every service. */
const kafkaEnv = {
  KAFKA_BROKERS: list({
    default: undefined,
    desc: 'host:port of brokers, comma-separated; absent: the event log in Postgres',
  }),
  KAFKA_TLS: bool({ default: false, desc: 'encrypts the connections to the brokers' }),
  KAFKA_TLS_CA: pem({
    default: undefined,
    desc: 'PEM of the authority that signed the brokers’ certificates, unless the system trusts it',
  }),
  KAFKA_SASL_MECHANISM: str({
    choices: MECHANISMS,
    default: undefined,
    desc: 'SASL mechanism; absent: no authentication',
  }),
  KAFKA_SASL_USERNAME: str({ default: undefined, desc: 'with KAFKA_SASL_MECHANISM' }),
  KAFKA_SASL_PASSWORD: sensitive(str({ default: undefined, desc: 'with KAFKA_SASL_MECHANISM' })),
};

export interface KafkaConfig {
  readonly brokers: readonly string[];
  /** TLS options; absent without encryption. */
  readonly tls?: { readonly ca?: string };
  readonly sasl?: {
    readonly mechanism: Mechanism;
    readonly username: string;
    readonly password: string;
  };
}

/**
 * Parses the Kafka settings; undefined without brokers.
 *
 * @throws ConfigurationError with every problem of these variables
 */
export function parseKafkaConfig(env: NodeJS.ProcessEnv): KafkaConfig | undefined {
  const own = parseConfig(env, kafkaEnv);
  const problems = problemsOf(own);
  if (problems.length > 0) throw new ConfigurationError(problems);
  const { KAFKA_BROKERS: brokers, KAFKA_TLS_CA: ca, KAFKA_SASL_MECHANISM: mechanism } = own;
  if (brokers === undefined) return undefined;
  return Object.freeze({
    brokers,
    ...(own.KAFKA_TLS ? { tls: ca === undefined ? {} : { ca } } : {}),
    ...(mechanism === undefined
      ? {}
      : {
          sasl: {
            mechanism,
            username: own.KAFKA_SASL_USERNAME ?? '',
            password: own.KAFKA_SASL_PASSWORD ?? '',
          },
        }),
  });
}

function problemsOf(env: Parsed<typeof kafkaEnv>): string[] {
  const problems: string[] = [];
  for (const broker of env.KAFKA_BROKERS ?? []) {
    if (!/^[^\s:/@]+:\d{1,5}$/.test(broker)) {
      problems.push('KAFKA_BROKERS: expected a comma-separated list of host:port');
    }
  }
  if (env.KAFKA_TLS_CA !== undefined && !env.KAFKA_TLS) {
    problems.push('KAFKA_TLS_CA: requires KAFKA_TLS');
  }
  const credentials = {
    KAFKA_SASL_USERNAME: env.KAFKA_SASL_USERNAME,
    KAFKA_SASL_PASSWORD: env.KAFKA_SASL_PASSWORD,
  };
  for (const [name, value] of Object.entries(credentials)) {
    if (env.KAFKA_SASL_MECHANISM !== undefined && value === undefined) {
      problems.push(`${name}: is missing (required by KAFKA_SASL_MECHANISM)`);
    }
    if (env.KAFKA_SASL_MECHANISM === undefined && value !== undefined) {
      problems.push(`${name}: requires KAFKA_SASL_MECHANISM`);
    }
  }
  return problems;
}
