import { developmentAccounts } from '@bascule/local-stack';
import { startMoonPay, walletDeliveries, type Deliver } from '@bascule/providers-lab';
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
  entry(url: string, secrets: Secrets): Record<string, unknown>;
  start(options: LabOptions): Promise<{ stop(): Promise<void> }>;
}

const PUBLISHABLE_KEY = 'pk_test_of_the_lab';
const secretKey = ({ providerApiKey }: Secrets) => `sk_test_${providerApiKey}`;

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
    start: ({ port, secrets, callbackUrl, chainId, deliver }) =>
      startMoonPay({
        port,
        publishableKey: PUBLISHABLE_KEY,
        secretKey: secretKey(secrets),
        webhookKey: secrets.providerCallbackSecret,
        callbackUrl,
        tokens: [
          {
            code: 'usdc_lab',
            chainId,
            contract: developmentAddresses.usdc,
            decimals: 6,
            usdPrice: 1,
          },
        ],
        deliver,
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
export const labOnramps = (settings: Settings, secrets: Secrets): object[] =>
  wanted(settings).map(({ name, port }) => ({
    name,
    adapter: name,
    sandbox: true,
    ...LABS[name].entry(`http://127.0.0.1:${port}`, secrets),
  }));

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
