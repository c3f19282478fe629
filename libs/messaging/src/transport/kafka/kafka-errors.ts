interface ClientError extends Error {
  /** Error name of the protocol. */
  type?: string;
  /** Error code of the connection. */
  code?: string | number;
  broker?: string;
}

const MAX_CAUSES = 8;
const CONNECTION_ERRORS = ['KafkaJSConnectionError', 'KafkaJSConnectionClosedError'];
const TIMEOUT_ERRORS = [
  'KafkaJSRequestTimeoutError',
  'KafkaJSBrokerNotFound',
  'KafkaJSLockTimeout',
];

export function causesOf(error: unknown): ClientError[] {
  const causes: ClientError[] = [];
  for (let cause = error; cause instanceof Error && causes.length < MAX_CAUSES;) {
    causes.push(cause);
    cause = cause.cause;
  }
  return causes;
}

/** Matches an error of the protocol by name, such as `MESSAGE_TOO_LARGE`. */
export const isProtocolError = (error: unknown, ...types: string[]): boolean =>
  causesOf(error).some(({ type }) => type !== undefined && types.includes(type));

/** Describes an error for an operator, without secrets. */
export function describeKafkaError(error: unknown, brokers: readonly string[]): string {
  const causes = causesOf(error);
  if (causes.some(({ name }) => name === 'KafkaJSSASLAuthenticationError')) {
    return 'Kafka: SASL authentication failed';
  }
  const connection = causes.find(({ name }) => CONNECTION_ERRORS.includes(name));
  if (connection !== undefined) return describeConnection(connection, brokers);
  if (causes.some(({ name }) => TIMEOUT_ERRORS.includes(name))) return unreachable(brokers);
  const protocol = causes.find(({ type }) => type !== undefined);
  const last = causes.at(-1);
  return `Kafka: ${protocol?.message ?? last?.message ?? String(error)}`;
}

const unreachable = (brokers: readonly string[]): string =>
  `Kafka: no broker reachable (${brokers.join(', ')})`;

function describeConnection(error: ClientError, brokers: readonly string[]): string {
  if (isTlsError(error)) {
    return `Kafka: TLS to ${error.broker ?? brokers.join(', ')} failed: ${plain(error.message)}`;
  }
  if (error.name === 'KafkaJSConnectionClosedError') {
    return `${unreachable(brokers)}: connections are closed at once; check the TLS and SASL settings`;
  }
  return unreachable(brokers);
}

const isTlsError = ({ code, message }: ClientError): boolean =>
  /^(ERR_SSL|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(String(code)) ||
  /certificate|wrong version number|SSL routines/i.test(message);

/** Shortens OpenSSL's messages, which hold memory addresses and source files. */
const plain = (message: string): string =>
  /wrong version number/i.test(message)
    ? 'the port does not use TLS'
    : message.replace(/^Connection error: /, '').slice(0, 200);
