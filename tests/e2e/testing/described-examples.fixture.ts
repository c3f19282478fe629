import { readFileSync } from 'node:fs';
import type {
  DeliveryReference,
  Payment,
  QuotesResponse,
  WithdrawResponse,
} from '@bascule/contracts';
import { getAddress, type PrivateKeyAccount } from 'viem';
import type { Api } from '../../../tools/first-payment/api.js';
import type { Chain } from '../../../tools/first-payment/chain.js';
import { depositInfo, getPayment } from '../../../tools/first-payment/payments.js';
import { until } from '../../../tools/first-payment/polling.js';
import { parkedBalance, signTypedData } from '../../../tools/first-payment/withdraw.js';

interface DescribedParameter {
  name?: string;
  in?: string;
  required?: boolean;
  example?: string | number | string[];
}

interface Described {
  security?: object[];
  parameters: DescribedParameter[];
  requestBody?: { required?: boolean; content: { 'application/json': { example?: unknown } } };
}

interface Example {
  method: string;
  path: string;
  parameters: { name: string; in: string; values: string[] }[];
  body: unknown;
}

const FILE = new URL('../../../docs/api/openapi.json', import.meta.url);
const SENT = '10';

/** Values of the document that requests make up, by what they stand for. */
const MADE_UP = {
  paymentId: '0199f0a2-0000-7000-8000-000000000001',
  withdrawId: '0199f0a2-0000-7000-8000-000000000002',
  deliveryId: '0199f0a2-0000-7000-8000-000000000003',
  stateToken: 'eyJhbGciOiJkaXIi',
  withdrawalStateToken: 'eyJhbGciOiJkaXIiLCJ3',
  signature: '0x5369676e6564',
};

/** Reads every example of the OpenAPI document; what deletes comes last. */
function describedExamples(): Example[] {
  const { paths } = JSON.parse(readFileSync(FILE, 'utf8')) as {
    paths: Record<string, Record<string, Described>>;
  };
  const examples = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => isComplete(operation))
      .map(([verb, { parameters, requestBody }]) => ({
        method: verb.toUpperCase(),
        path,
        parameters: parameters.flatMap(({ name = '', in: place = '', example }) =>
          example === undefined ? [] : [{ name, in: place, values: [example].flat().map(String) }],
        ),
        body: requestBody?.content['application/json'].example,
      })),
  );
  return examples.sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
}

/** Whether an operation with a key can be asked by its example. */
const isComplete = ({ security, parameters, requestBody }: Described): boolean =>
  security?.length !== 0 &&
  parameters.every(({ required, example }) => !required || example !== undefined) &&
  (!requestBody?.required || requestBody.content['application/json'].example !== undefined);

export interface Replayed {
  status: number;
  body: unknown;
}

/** A client of the examples: pays too little, and withdraws that. */
export interface ExampleClient {
  api: Api;
  chain: Chain;
  /** Owner of the payment, with money of its own. */
  owner: PrivateKeyAccount;
}

/**
 * Sends the examples in their order, again after a 503, and returns their answers; the client checks them.
 * @param replaced values of the document by those of this stack
 */
export async function replayExamples(
  client: ExampleClient,
  replaced: ReadonlyMap<string, string>,
): Promise<Record<string, Replayed>> {
  const known = new Map(replaced);
  const ofStack = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
      typeof inner === 'string' ? (known.get(inner) ?? inner) : inner,
    ) as T;
  const answers: Record<string, Replayed> = {};
  for (const { method, path, parameters, body } of describedExamples()) {
    const query = new URLSearchParams();
    let filled = path;
    for (const { name, in: place, values } of ofStack(parameters)) {
      if (place === 'path') filled = filled.replace(`{${name}}`, values.join());
      else for (const value of values) query.append(name, value);
    }
    const options = body === undefined ? {} : { body: ofStack(body) };
    const answer = await until(`an answer of ${path}`, async () => {
      const said = await client.api.request(method, `${filled}?${query.toString()}`, options);
      return said.status === 503 ? null : said;
    });
    answers[`${method} ${path}`] = { status: answer.status, body: answer.body };
    if (answer.status === 200) await continueAfter(`${method} ${path}`, answer.body, client, known);
  }
  return answers;
}

/** Keeps what later examples name, and acts as a user between them. */
async function continueAfter(
  operation: string,
  body: unknown,
  { api, chain, owner }: ExampleClient,
  known: Map<string, string>,
): Promise<void> {
  if (operation === 'POST /payments/quotes') {
    const { quotes, state_token } = body as QuotesResponse;
    known.set(MADE_UP.paymentId, quotes[0]?.payment_id ?? '');
    known.set(MADE_UP.stateToken, state_token);
  }
  if (operation === 'POST /payments/confirm') {
    const payment = body as Payment;
    const usdc = chain.token('USDC');
    const [deposit] = depositInfo(payment);
    if (deposit === undefined) throw new Error('expected a payment by deposit');
    await chain.transfer(
      owner,
      usdc,
      getAddress(deposit.deposit_address),
      await chain.units(usdc, SENT),
    );
    await parkedBalance(api, payment.payment_id, 'SPW');
    // Later answers show the payment with its deposit.
    await until('the deposit in the payment', async () => {
      const { funded } = await getPayment(api, payment.payment_id);
      return funded ? true : null;
    });
  }
  if (operation === 'POST /payments/withdraw') {
    const { withdraw_id, state_token, withdraw_authorization } = body as WithdrawResponse;
    known.set(MADE_UP.withdrawId, withdraw_id);
    known.set(MADE_UP.withdrawalStateToken, state_token);
    known.set(MADE_UP.signature, await signTypedData(owner, withdraw_authorization));
  }
  if (operation === 'POST /orgs/webhooks/test') {
    known.set(MADE_UP.deliveryId, (body as DeliveryReference).id);
  }
}
