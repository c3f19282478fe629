import { describe, expect, it } from '@jest/globals';
import {
  changed,
  environmentsWith,
  faultsOf,
  findingsOf,
  randomSecret,
  sealingKeys,
  signingKeys,
} from '../testing/deployment.fixture.js';
import { agreement } from './agreement.js';
import { configuration } from './configuration.js';
import { development } from './development.js';
import { secrets } from './secrets.js';

const sound = environmentsWith();

const entry = (callback_secret: string, api_key = randomSecret()) =>
  JSON.stringify([
    {
      name: 'swiftramp',
      adapter: 'sandbox',
      base_url: 'http://x.example',
      api_key,
      callback_secret,
    },
  ]);
const transak = (api_secret: string) =>
  JSON.stringify([
    {
      name: 'transak',
      adapter: 'transak',
      base_url: 'https://api.transak.com',
      gateway_url: 'https://api-gateway.transak.com',
      checkout_url: 'https://global.transak.com',
      api_key: 'public',
      api_secret,
      referrer_domain: 'pay.example.com',
    },
  ]);
const aggregator = (api_key: string) =>
  JSON.stringify([{ name: 'zero_x', adapter: 'zero-x', base_url: 'https://api.0x.org', api_key }]);

describe('the configuration', () => {
  it('is sound where every service parses its environment', async () => {
    const findings = await findingsOf(configuration, sound);
    expect(findings.map(({ subject, state }) => [subject, state])).toEqual(
      Object.keys(sound).map((service) => [service, 'ok']),
    );
  });

  it('tells a missing variable from a wrong one, without its value', async () => {
    const wrong = changed(sound, 'payment', {
      EXECUTOR_PRIVATE_KEY: 'not-a-key-but-secret',
      FUNDING_PAGE_BASE: '',
    });
    const faults = await faultsOf(configuration, wrong);
    expect([...faults].sort()).toEqual([
      expect.stringMatching(/^payment: missing: FUNDING_PAGE_BASE: is missing/),
      'payment: wrong: EXECUTOR_PRIVATE_KEY: is not valid',
    ]);
  });
});

describe('the agreement of services', () => {
  it('is complete in a sound deployment', async () => {
    expect(await faultsOf(agreement, sound)).toEqual([]);
  });

  it.each([
    ['ENVIRONMENT', { ENVIRONMENT: 'staging' }],
    ['CHAINS', { CHAINS: 'alphanet,betanet', RPC_URLS_BETANET: 'http://127.0.0.1:1' }],
    ['KAFKA_BROKERS', { KAFKA_BROKERS: 'kafka:9092' }],
    ['PROVIDERS', { PROVIDERS: entry(randomSecret()) }],
    [
      'BRIDGES',
      {
        BRIDGES: JSON.stringify([
          { name: 'other', adapter: 'intent-escrow', solver_url: 'http://x.example', api_key: 'x' },
        ]),
      },
    ],
    [
      'AGGREGATORS',
      { AGGREGATORS: '[{"name":"lifi_one","adapter":"lifi","base_url":"http://x.example"}]' },
    ],
  ])('finds another %s of one service', async (variable, env) => {
    const faults = await faultsOf(agreement, changed(sound, 'quote', env));
    expect(faults).toEqual([expect.stringMatching(`^${variable}: wrong: differs: .*\\| ?.*`)]);
    expect(faults[0]).toMatch(/quote/);
  });

  it.each(['EXECUTOR_CONTRACT', 'INTENT_ESCROW', 'ATTESTER_ORACLE'])(
    'finds another %s of one service',
    async (variable) => {
      const others = environmentsWith({
        CHAINS: 'basesepolia',
        RPC_URLS_BASESEPOLIA: 'http://127.0.0.1:1',
        [variable]: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      });
      expect(await faultsOf(agreement, others)).toEqual([]);
      const faults = await faultsOf(agreement, changed(others, 'payment', { [variable]: '' }));
      expect(faults).toEqual([expect.stringMatching(`^${variable}: wrong: differs: .*payment`)]);
    },
  );

  it('finds other ATTESTER_URLS of one service', async () => {
    const others = environmentsWith({ ATTESTER_URLS: 'http://b.example,http://a.example' });
    const ATTESTER_URLS = 'http://a.example,http://b.example';
    expect(await faultsOf(agreement, changed(others, 'payment', { ATTESTER_URLS }))).toEqual([]);
    const wrong = changed(others, 'payment', { ATTESTER_URLS: 'http://a.example' });
    expect(await faultsOf(agreement, wrong)).toEqual([
      'ATTESTER_URLS: wrong: differs: payment | withdrawal',
    ]);
  });

  it('finds another FEE_RECEIVER of one service', async () => {
    const FEE_RECEIVER = '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955';
    expect(await faultsOf(agreement, changed(sound, 'quote', { FEE_RECEIVER }))).toEqual([
      'FEE_RECEIVER: wrong: differs: quote | withdrawal',
    ]);
  });

  it('finds a service that does not know the key of internal tokens, or of funding links', async () => {
    const INTERNAL_TOKEN_PUBLIC_KEYS = signingKeys('internal').jwks;
    const FUNDING_TOKEN_PUBLIC_KEYS = signingKeys('funding').jwks;
    const wrong = changed(changed(sound, 'quote', { INTERNAL_TOKEN_PUBLIC_KEYS }), 'gateway', {
      FUNDING_TOKEN_PUBLIC_KEYS,
    });
    expect(await faultsOf(agreement, wrong)).toEqual([
      'internal tokens: wrong: a key in use is not known to quote',
      'funding links: wrong: a key in use is not known to gateway',
    ]);
  });

  it('finds state tokens that another service cannot open', async () => {
    const wrong = changed(sound, 'withdrawal', { STATE_TOKEN_KEYS: sealingKeys('state') });
    expect(await faultsOf(agreement, wrong)).toEqual([
      'STATE_TOKEN_KEYS: wrong: a key in use is not known to quote, payment, withdrawal',
    ]);
  });
});

describe('the secrets', () => {
  it('are strong in a sound deployment', async () => {
    expect(await faultsOf(secrets, sound)).toEqual([]);
    expect((await findingsOf(secrets, sound)).map(({ found }) => found)).toContain('2 secrets');
  });

  it.each([
    ['repeats bytes: it is not random', Buffer.alloc(32, 7)],
    ['is a text: it is not random', Buffer.from('abcdefghijklmnopqrstuvwxyz012345')],
  ])('find a sealing key that %s', async (fault, bytes) => {
    const WEBHOOK_SECRET_KEYS = JSON.stringify([{ kid: 'w', k: bytes.toString('base64url') }]);
    const faults = await faultsOf(
      secrets,
      changed(sound, 'webhook-dispatch', { WEBHOOK_SECRET_KEYS }),
    );
    expect(faults).toEqual([`webhook-dispatch WEBHOOK_SECRET_KEYS (w): wrong: ${fault}`]);
  });

  it.each([
    ['is shorter than 16 characters', 'k3J9f_2xQ'],
    ['repeats characters: it is not random', 'abababababababababab'],
    ['is a placeholder', 'change-me-before-2026'],
  ])('find a secret of callbacks that %s', async (fault, secret) => {
    const faults = await faultsOf(secrets, changed(sound, 'payment', { PROVIDERS: entry(secret) }));
    expect(faults).toEqual([`payment PROVIDERS (callback_secret of swiftramp): wrong: ${fault}`]);
  });

  it.each([
    [
      'PROVIDERS (api_key of swiftramp)',
      { PROVIDERS: entry(randomSecret(), 'change-me-before-2026') },
    ],
    ['PROVIDERS (api_secret of transak)', { PROVIDERS: transak('change-me-before-2026') }],
    ['AGGREGATORS (api_key of zero_x)', { AGGREGATORS: aggregator('change-me-before-2026') }],
  ])('find a placeholder as %s', async (variable, env) => {
    expect(await faultsOf(secrets, changed(sound, 'quote', env))).toEqual([
      `quote ${variable}: wrong: is a placeholder`,
    ]);
    const PROVIDERS = transak(randomSecret());
    const strong = { PROVIDERS, AGGREGATORS: aggregator(randomSecret()) };
    expect(await faultsOf(secrets, changed(sound, 'quote', strong))).toEqual([]);
  });
});

describe('a secret with two uses', () => {
  it('is found within a service, where it is a text', async () => {
    const secret = randomSecret();
    const BRIDGES = JSON.stringify([
      { name: 'other', adapter: 'intent-escrow', solver_url: 'http://x.example', api_key: secret },
    ]);
    const wrong = changed(sound, 'payment', { PROVIDERS: entry(secret), BRIDGES });
    expect(await faultsOf(secrets, wrong)).toEqual([
      'payment PROVIDERS (callback_secret of swiftramp): wrong: is the same as BRIDGES (api_key of other) of payment',
      'payment BRIDGES (api_key of other): wrong: is the same as PROVIDERS (callback_secret of swiftramp) of payment',
    ]);
  });

  it('is found in two services, where it is a key', async () => {
    const keys = sealingKeys('copied');
    const wrong = changed(changed(sound, 'quote', { STATE_TOKEN_KEYS: keys }), 'webhook-dispatch', {
      WEBHOOK_SECRET_KEYS: keys,
    });
    expect(await faultsOf(secrets, wrong)).toEqual([
      'quote STATE_TOKEN_KEYS (copied): wrong: is the same as WEBHOOK_SECRET_KEYS (copied) of webhook-dispatch',
      'webhook-dispatch WEBHOOK_SECRET_KEYS (copied): wrong: is the same as STATE_TOKEN_KEYS (copied) of quote',
    ]);
  });
});

describe('the settings for development', () => {
  const mainChain = {
    CHAINS: 'base',
    RPC_URLS_BASE: 'http://127.0.0.1:1',
    SCREENING_DISABLED: 'true',
  };

  it('are no subject on development chains', async () => {
    const local = environmentsWith({ ENVIRONMENT: 'development' });
    expect(await findingsOf(development, local)).toEqual([]);
  });

  it('are found beside a public chain', async () => {
    const live = environmentsWith(mainChain);
    expect(await faultsOf(development, live)).toEqual([]);
    const wrong = changed(
      changed(live, 'webhook-dispatch', { WEBHOOK_ALLOW_LOOPBACK: 'true' }),
      'quote',
      { ENVIRONMENT: 'development' },
    );
    expect(await faultsOf(development, wrong)).toEqual([
      'quote: wrong: ENVIRONMENT=development, for development only',
      'webhook-dispatch: wrong: WEBHOOK_ALLOW_LOOPBACK=true, for development only',
    ]);
  });
});
