const schema = (api, name) => api.components.schemas[name];
const properties = (api, name) => schema(api, name).properties;
const { keys } = Object;
const WEIGHT = 'x-rate-limit-weight';

function withoutParameter(operation, name) {
  const before = operation.parameters.length;
  operation.parameters = operation.parameters.filter(
    (each) => each.name !== name && !each.$ref?.endsWith(`/${name}`),
  );
  if (operation.parameters.length === before) throw new Error(`Expected a parameter ${name}.`);
}

/** Changes of a copy of the description: each with whether it must be found. */
export const CASES = [
  ['a removed path', true, (api) => delete api.paths['/chains']],
  ['a removed method', true, (api) => delete api.paths['/orgs/webhooks'].patch],
  [
    'a removed field of an answer',
    true,
    (api) => {
      const payment = schema(api, 'Payment');
      delete payment.properties.funded;
      payment.required = payment.required.filter((name) => name !== 'funded');
    },
  ],
  [
    'a removed field of an answer that may be absent',
    true,
    (api) => delete properties(api, 'Payment').completed_at,
  ],
  [
    'a field of an answer that became optional',
    true,
    (api) => {
      const payment = schema(api, 'Payment');
      payment.required = payment.required.filter((name) => name !== 'funded');
    },
  ],
  [
    'a removed header of an answer that may be absent',
    true,
    (api) =>
      delete api.paths['/payments/confirm'].post.responses['200'].headers['idempotency-replayed'],
  ],
  [
    'a new required field of a request',
    true,
    (api) => {
      const confirm = schema(api, 'ConfirmPaymentInput');
      confirm.properties.added = { type: 'string' };
      confirm.required.push('added');
    },
  ],
  [
    'a removed optional field of a request',
    true,
    (api) => delete properties(api, 'ConfirmPaymentInput').client_redirect_url,
  ],
  [
    'a removed field of a nested request',
    true,
    (api) => delete properties(api, 'FixedInputRequestInput').dest_address,
  ],
  [
    'a removed header of a request',
    true,
    (api) => withoutParameter(api.paths['/payments/withdraw'].post, 'IdempotencyKey'),
  ],
  [
    'a removed parameter of a query',
    true,
    (api) => withoutParameter(api.paths['/payments/history'].get, 'label'),
  ],
  [
    'a narrowed enum of a request',
    true,
    (api) => schema(api, 'QuoteRequestInput').properties.onramp_methods.items.enum.pop(),
  ],
  [
    'a narrowed pattern of a request',
    true,
    (api) => (schema(api, 'ProviderNameInput').pattern = '^[a-z]{1,9}$'),
  ],
  [
    'a new pattern of a request',
    true,
    (api) => (queryOf(api, 'label').schema.pattern = '^[a-z]+$'),
  ],
  [
    'a changed default of a body',
    true,
    (api) => (findDefault(properties(api, 'WithdrawInput')).default = 'INTENT'),
  ],
  ['a changed default of a query', true, (api) => (queryOf(api, 'limit').schema.default = 50)],
  ['a removed default of a query', true, (api) => delete queryOf(api, 'limit').schema.default],
  [
    'an added type of timeline entries',
    false,
    (api) => schema(api, 'TimelineEntryType').enum.push('payment.added'),
  ],
  [
    'an added enum value of an answer',
    true,
    (api) => schema(api, 'PaymentStatus').enum.push('ADDED'),
  ],
  [
    'a changed type of an answer',
    true,
    (api) => (schema(api, 'Payment').properties.funded.type = 'string'),
  ],
  [
    'a field of an answer that may be null',
    true,
    (api) => (schema(api, 'Payment').properties.funded.type = ['boolean', 'null']),
  ],
  [
    'a lower limit of a request',
    true,
    (api) => (schema(api, 'CreateWebhookInput').properties.label.maxLength = 10),
  ],
  ['a removed status', true, (api) => delete api.paths['/chains'].get.responses['200']],
  [
    'a removed status of an error',
    true,
    (api) => delete api.paths['/payments/confirm'].post.responses['409'],
  ],
  [
    'another status of an error',
    true,
    (api) => {
      const { responses } = api.paths['/payments/withdraw/status'].get;
      responses['410'] = responses['404'];
      delete responses['404'];
    },
  ],
  [
    'another permission',
    true,
    (api) => (api.paths['/chains'].get['x-permission'] = 'payments:write'),
  ],
  [
    'a permission where none was needed',
    true,
    (api) => (api.paths['/orgs/keys/self'].get['x-permission'] = 'assets'),
  ],
  [
    'an operation that only secret keys may still call',
    true,
    (api) => (api.paths['/chains'].get.security = [{ secretKey: [] }]),
  ],
  [
    'another name of an operation',
    true,
    (api) => (api.paths['/chains'].get.operationId = 'getChains'),
  ],
  // Limits are the operator's, and clients wait as Retry-After says.
  ['a raised weight of an operation', false, (api) => (api.paths['/payments'].get[WEIGHT] += 1)],
  [
    'an added status of an error',
    false,
    (api) => {
      const { responses } = api.paths['/payments'].get;
      responses['410'] = responses['404'];
    },
  ],
  [
    'added fields and paths',
    false,
    (api) => {
      schema(api, 'Payment').properties.added = { type: 'string' };
      schema(api, 'ConfirmPaymentInput').properties.added = { type: 'string' };
      api.paths['/added'] = { get: { ...api.paths['/chains'].get, operationId: 'added' } };
    },
  ],
  [
    'a permission that is no longer needed',
    false,
    (api) => delete api.paths['/chains'].get['x-permission'],
  ],
  ['no change', false, () => undefined],
];

const queryOf = (api, name) =>
  api.paths['/payments/history'].get.parameters.find((each) => each.name === name);

/** First of some fields that has a default. */
function findDefault(fields) {
  const name = keys(fields).find((each) => 'default' in fields[each]);
  if (name === undefined) throw new Error('Expected a field with a default, found none.');
  return fields[name];
}
