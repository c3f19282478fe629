import { startStripe, type StripeLab } from '@bascule/providers-lab';
import { SanctionedFile, startCapturingServer, type CapturingServer } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  changed,
  environmentsWith,
  faultsOf,
  findingsOf,
  type Environments,
} from '../testing/deployment.fixture.js';
import { aggregators } from './aggregators.js';
import { attesters } from './attesters.js';
import { bridges } from './bridges.js';
import { providers } from './providers.js';
import { screening } from './screening.js';

const USDC = '0x00000000000000000000000000000000000000c1';
const SECRET_KEY = 'sk_test_lab_of_the_preflight';
const NOWHERE = 'http://127.0.0.1:9';
const { payment: sound = {} } = environmentsWith();

const payment = (variables: NodeJS.ProcessEnv): Environments =>
  changed({ payment: sound }, 'payment', variables);

describe('the credentials of a provider', () => {
  let lab: StripeLab;
  beforeAll(async () => {
    lab = await startStripe({
      secretKey: SECRET_KEY,
      webhookSecret: 'whsec_lab',
      callbackUrl: NOWHERE,
      tokens: [{ contract: USDC, decimals: 6, usdPrice: 1, network: 'base', currency: 'usdc' }],
      deliver: () => Promise.reject(new Error('sells nothing')),
    });
  });
  afterAll(() => lab.stop());

  const environment = (others: object = {}): Environments =>
    payment({
      PROVIDERS: JSON.stringify([
        {
          name: 'stripe',
          adapter: 'stripe',
          sandbox: true,
          base_url: lab.url,
          api_key: SECRET_KEY,
          callback_secret: 'whsec_lab',
          limits: { usd: { min: '20', max: '5000' } },
          tokens: [{ currency: 'usdc', network: 'base', token: `alphanet:${USDC}` }],
          ...others,
        },
      ]),
    });

  it('are accepted', async () => {
    const [finding] = await findingsOf(providers, environment());
    expect(finding).toMatchObject({ subject: 'payment stripe', state: 'ok' });
    expect(finding?.found).toBe('1 currencies, 1 tokens');
  });

  it('are found where it refuses them, and printed nowhere', async () => {
    const api_key = 'sk_test_of_somebody_else';
    const findings = await findingsOf(providers, environment({ api_key }));
    expect(findings.map(({ state }) => state)).toEqual(['wrong']);
    expect(JSON.stringify(findings)).not.toContain(api_key);
  });

  it('are unknown where it does not answer', async () => {
    const faults = await faultsOf(providers, environment({ base_url: NOWHERE }));
    expect(faults).toEqual([expect.stringMatching(/^payment stripe: unknown: /)]);
  });

  it('are of no use where it sells nothing that we have', async () => {
    const tokens = [{ currency: 'eth', network: 'base', token: 'alphanet:0x' }];
    expect(await faultsOf(providers, environment({ tokens }))).toEqual([
      'payment stripe: wrong: sells nothing here: 0 currencies, 0 tokens',
    ]);
  });
});

describe('the credentials of a bridge and of a screening API', () => {
  let server: CapturingServer | undefined;
  afterEach(() => server?.stop());

  const answering = async (status: number, body: unknown): Promise<string> => {
    server = await startCapturingServer(() => ({
      status,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }));
    return server.url;
  };
  const bridge = (solver_url: string) =>
    payment({
      BRIDGES: JSON.stringify([
        {
          name: 'intent_escrow',
          adapter: 'intent-escrow',
          solver_url,
          api_key: 'key-of-the-solver',
        },
      ]),
    });

  it('are found where the solver refuses them, or has no route', async () => {
    const refusing = await answering(401, { error: {} });
    expect(await faultsOf(bridges, bridge(refusing))).toEqual([
      'payment intent_escrow: wrong: solver of intent_escrow answered 401',
    ]);
    await server?.stop();
    expect(await faultsOf(bridges, bridge(await answering(200, { routes: [] })))).toEqual([
      'payment intent_escrow: wrong: no routes',
    ]);
    expect(server?.requests[0]?.headers.authorization).toBe('Bearer key-of-the-solver');
  });

  it('are unknown where the solver does not answer', async () => {
    expect(await faultsOf(bridges, bridge(NOWHERE))).toEqual([
      expect.stringMatching(/^payment intent_escrow: unknown: /),
    ]);
  });

  const api = (url: string) =>
    payment({ SCREENING_API_URL: url, SCREENING_API_KEY: 'key-of-the-screening' });

  it('are accepted where the API has a verdict', async () => {
    const address = '0x000000000000000000000000000000000000dead';
    const url = await answering(200, [{ address, isSanctioned: false }]);
    expect(await faultsOf(screening, api(url))).toEqual([]);
    expect(server?.requests).toHaveLength(1);
  });

  it('are found where the API refuses them', async () => {
    expect(await faultsOf(screening, api(await answering(401, {})))).toEqual([
      'payment api: wrong: screening API answered 401',
    ]);
  });
});

describe('the credentials of an aggregator', () => {
  let server: CapturingServer | undefined;
  afterEach(() => server?.stop());

  const environment = (base_url: string): Environments =>
    payment({
      ENVIRONMENT: 'production',
      CHAINS: 'base,arbitrum',
      RPC_URLS_BASE: NOWHERE,
      RPC_URLS_ARBITRUM: NOWHERE,
      SCREENING_DISABLED: 'true',
      AGGREGATORS: JSON.stringify([
        { name: 'zero_x', adapter: 'zero-x', base_url, api_key: 'key-of-the-aggregator' },
      ]),
    });
  const answering = async (status: number, body: object): Promise<Environments> => {
    const headers = { 'content-type': 'application/json' };
    server = await startCapturingServer(() => ({ status, headers, body: JSON.stringify(body) }));
    return environment(server.url);
  };

  it('are accepted where it answers, also that it has no route', async () => {
    const accepting = await answering(200, { liquidityAvailable: false });
    const findings = await findingsOf(aggregators, accepting);
    expect(findings.map(({ subject, state }) => [subject, state])).toEqual([
      ['payment zero_x on base', 'ok'],
    ]);
    expect(server?.requests).toHaveLength(1);
    expect(server?.requests[0]?.headers['0x-api-key']).toBe('key-of-the-aggregator');
  });

  it('are found where it refuses them', async () => {
    expect(await faultsOf(aggregators, await answering(401, {}))).toEqual([
      'payment zero_x on base: wrong: zero_x answered 401',
    ]);
  });

  it('are unknown where it does not answer', async () => {
    expect(await faultsOf(aggregators, environment(NOWHERE))).toEqual([
      expect.stringMatching(/^payment zero_x on base: unknown: /),
    ]);
  });
});

describe('the attesters', () => {
  const refusal = { error: { code: 'invalid_request', message: 'escrow: expected an address' } };

  it.each([
    ['accepted where one refuses an empty request', 400, JSON.stringify(refusal), 'ok'],
    ['found where another service answers', 404, '{"error":{"code":"not_found"}}', 'wrong'],
    ['found where a page answers', 200, '<html></html>', 'wrong'],
    ['unknown where only a proxy answers', 502, '', 'unknown'],
  ])('are %s', async (_, status, body, state) => {
    const server = await startCapturingServer(() => ({ status, body }));
    try {
      const findings = await findingsOf(attesters, payment({ ATTESTER_URLS: server.url }));
      expect(findings.map((each) => [each.subject, each.state])).toEqual([
        [`payment ${server.url}`, state],
      ]);
      expect(server.requests.map(({ path }) => path)).toEqual(['/v1/attestations']);
    } finally {
      await server.stop();
    }
  });

  it('are unknown where they do not answer', async () => {
    expect(await faultsOf(attesters, payment({ ATTESTER_URLS: NOWHERE }))).toEqual([
      expect.stringMatching(`^payment ${NOWHERE}: unknown: attester gave no complete response$`),
    ]);
  });
});

describe('the list of sanctioned addresses', () => {
  it('is found where it is not complete, and where it is missing', async () => {
    const file = new SanctionedFile();
    try {
      const listed = payment({ SCREENING_FILE: file.path });
      expect(await faultsOf(screening, listed)).toEqual([]);
      file.takeAway();
      expect(await faultsOf(screening, listed)).toEqual(['payment file: unknown: no answer']);
    } finally {
      file.remove();
    }
  });
});
