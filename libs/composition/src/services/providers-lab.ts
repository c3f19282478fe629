import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { developmentAccounts } from '@bascule/local-stack';
import {
  startCoinbase,
  startMoonPay,
  startStripe,
  startTransak,
  walletDeliveries,
  type Deliver,
} from '@bascule/providers-lab';
import { developmentAddresses } from '@bascule/solidity';
import type { LocalServers } from '../servers/local-servers.js';
import { LAB_PROVIDERS, type LabProvider, type Settings } from '../settings/settings.config.js';
import type { Secrets } from '../state/secrets.js';

/** Holds tokens, and sends nothing once the chains are set up. */
const [, deployer] = developmentAccounts;

interface LabOptions {
  port: number;
  secrets: Secrets;
  callbackUrl: string;
  /** The chain on which it sells. */
  chainId: number;
  deliver: Deliver;
}

interface Lab {
  /** Fields of its entry in `PROVIDERS`, beside name and adapter. */
  entry(url: string, secrets: Secrets, chain: string): Record<string, unknown>;
  start(options: LabOptions): Promise<{ stop(): Promise<void> }>;
}

const PUBLISHABLE_KEY = 'pk_test_of_the_lab';
const secretKey = ({ providerApiKey }: Secrets) => `sk_test_${providerApiKey}`;

/** Token that every party sells, on the chain on which it delivers. */
const USDC = { contract: developmentAddresses.usdc, decimals: 6, usdPrice: 1 };
const COINBASE_KEY_ID = 'key-of-the-lab';
const TRANSAK_KEY = 'transak-key-of-the-lab';
const apiSecret = ({ providerApiKey }: Secrets) => `secret of ${providerApiKey}`;

/** Ed25519 key of Coinbase's API, the same after every start. */
function coinbaseKey({ providerApiKey }: Secrets): KeyObject {
  const seed = createHash('sha256').update(providerApiKey).digest();
  const key = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/** The secret as Coinbase shows it: seed and public key. */
function coinbaseSecret(secrets: Secrets): string {
  const { d = '', x = '' } = coinbaseKey(secrets).export({ format: 'jwk' });
  return Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]).toString(
    'base64',
  );
}

/** Simulated parties that speak the wire format of real ones. */
const LABS: Record<LabProvider, Lab> = {
  moonpay: {
    entry: (url, secrets) => ({
      base_url: url,
      checkout_url: url,
      api_key: PUBLISHABLE_KEY,
      secret_key: secretKey(secrets),
      callback_secret: secrets.providerCallbackSecret,
    }),
    start: ({ secrets, chainId, ...options }) =>
      startMoonPay({
        ...options,
        publishableKey: PUBLISHABLE_KEY,
        secretKey: secretKey(secrets),
        webhookKey: secrets.providerCallbackSecret,
        tokens: [{ ...USDC, code: 'usdc_lab', chainId }],
      }),
  },
  stripe: {
    entry: (url, secrets, chain) => ({
      base_url: url,
      api_key: secretKey(secrets),
      callback_secret: secrets.providerCallbackSecret,
      limits: { usd: { min: '5', max: '5000' }, eur: { min: '5', max: '5000' } },
      tokens: [{ currency: 'usdc', network: 'base', token: `${chain}:${USDC.contract}` }],
    }),
    start: ({ secrets, ...options }) =>
      startStripe({
        ...options,
        secretKey: secretKey(secrets),
        webhookSecret: secrets.providerCallbackSecret,
        tokens: [{ ...USDC, currency: 'usdc', network: 'base' }],
      }),
  },
  coinbase: {
    entry: (url, secrets) => ({
      base_url: url,
      v1_url: url,
      api_key: COINBASE_KEY_ID,
      api_secret: coinbaseSecret(secrets),
      callback_secret: secrets.providerCallbackSecret,
    }),
    start: ({ secrets, chainId, ...options }) =>
      startCoinbase({
        ...options,
        publicKeys: new Map([[COINBASE_KEY_ID, createPublicKey(coinbaseKey(secrets))]]),
        webhookSecret: secrets.providerCallbackSecret,
        tokens: [{ ...USDC, symbol: 'USDC', network: 'lab', chainId }],
      }),
  },
  transak: {
    entry: (url, secrets) => ({
      base_url: url,
      gateway_url: url,
      checkout_url: url,
      api_key: TRANSAK_KEY,
      api_secret: apiSecret(secrets),
      referrer_domain: 'localhost',
    }),
    start: ({ secrets, chainId, ...options }) =>
      startTransak({
        ...options,
        apiKey: TRANSAK_KEY,
        apiSecret: apiSecret(secrets),
        tokens: [{ ...USDC, symbol: 'USDC', network: 'lab', chainId }],
      }),
  },
};

/** Simulated parties that the settings ask for. */
const wanted = ({ labPorts }: Settings): { name: LabProvider; port: number }[] =>
  LAB_PROVIDERS.flatMap((name) => {
    const port = labPorts[name];
    return port === undefined ? [] : [{ name, port }];
  });

/** Entries of `PROVIDERS` for them. */
export function labOnramps(settings: Settings, secrets: Secrets): object[] {
  const chain = settings.chains[0]?.name ?? '';
  return wanted(settings).map(({ name, port }) => ({
    name,
    adapter: name,
    sandbox: true,
    ...LABS[name].entry(`http://127.0.0.1:${port}`, secrets, chain),
  }));
}

/** Starts them in this process; they deliver on the first chain. */
export function startProvidersLab(
  settings: Settings,
  secrets: Secrets,
  { chains: [chain] }: LocalServers,
): Promise<{ stop(): Promise<void> }[]> {
  if (chain === undefined) throw new Error('the stack has no chain');
  const deliver = walletDeliveries({ privateKey: deployer.privateKey, rpcUrl: chain.rpcUrl });
  const gateway = `http://127.0.0.1:${settings.servicePorts.gateway}`;
  return Promise.all(
    wanted(settings).map(({ name, port }) =>
      LABS[name].start({
        port,
        secrets,
        callbackUrl: `${gateway}/providers/${name}/callbacks`,
        chainId: chain.chainId,
        deliver,
      }),
    ),
  );
}
