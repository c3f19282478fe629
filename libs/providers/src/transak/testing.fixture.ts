import { randomBytes } from 'node:crypto';
import { startTransak, type TransakLab } from '@bascule/providers-lab';
import { startCapturingServer, type CapturingServer } from '@bascule/testing';
import type { OnrampProvider } from '../port/onramp-provider.js';
import { adapterOf } from '../testing/customer.fixture.js';
import { MemoryTokenStore } from '../testing/memory-token-store.fixture.js';

const USDC = '0x00000000000000000000000000000000000000c1';
export const WALLET = '0x00000000000000000000000000000000000000d1';
export const USER_IP = '128.32.136.9';

const API_KEY = 'api-key-of-the-lab';
const API_SECRET = 'api-secret-of-the-lab';

export const sold = {
  fiat: 'usd',
  fiatAmount: '100',
  method: 'CREDIT_CARD',
  token: `alphanet:${USDC}`,
  tokenDecimals: 6,
  customer: { ipAddress: USER_IP },
} as const;

const aToken = {
  symbol: 'USDC',
  network: 'alphanet',
  chainId: 31337,
  contract: USDC,
  decimals: 6,
  usdPrice: 1,
} as const;

/** A simulated Transak with a receiver of its webhooks, and adapters of one service. */
export class TransakStage {
  readonly store = new MemoryTokenStore();

  private constructor(
    readonly lab: TransakLab,
    readonly partner: CapturingServer,
  ) {}

  static async start(): Promise<TransakStage> {
    const partner = await startCapturingServer();
    const lab = await startTransak({
      apiKey: API_KEY,
      apiSecret: API_SECRET,
      callbackUrl: `${partner.url}/providers/transak/callbacks`,
      tokens: [
        {
          ...aToken,
          kycCountriesNotSupported: ['DE', 'XX'],
          fiatCurrenciesNotSupported: [{ fiatCurrency: 'EUR', paymentMethod: 'credit_debit_card' }],
        },
        { ...aToken, symbol: 'ETH', contract: null, decimals: 18, usdPrice: 3_000 },
        { ...aToken, symbol: 'GONE', contract: WALLET, isSuspended: true },
        { ...aToken, symbol: 'WSOL', contract: null },
        { ...aToken, network: 'elsewhere', chainId: 999_999 },
      ],
      deliver: () => Promise.resolve(`0x${randomBytes(32).toString('hex')}` as const),
    });
    return new TransakStage(lab, partner);
  }

  entry(others: object = {}): object {
    return {
      name: 'transak',
      adapter: 'transak',
      base_url: this.lab.url,
      gateway_url: this.lab.url,
      checkout_url: this.lab.url,
      api_key: API_KEY,
      api_secret: API_SECRET,
      referrer_domain: 'pay.example.com',
      sandbox: true,
      ...others,
    };
  }

  /** Adapter of another replica, with the same store unless another one is given. */
  provider(others?: object, store = this.store): OnrampProvider {
    return adapterOf(this.entry(others), store);
  }

  providerAt(baseUrl: string, others: object = {}): OnrampProvider {
    return this.provider({ base_url: baseUrl, gateway_url: baseUrl, ...others });
  }

  /** Callbacks about a payment, oldest first: their bodies are JWTs. */
  callbacksOf(paymentId: string): CapturingServer['requests'] {
    return this.partner.requests.filter(({ body }) => claimsOf(body).includes(paymentId));
  }

  lastCallback(paymentId: string) {
    const request = this.callbacksOf(paymentId).at(-1);
    if (!request) throw new Error('no callback yet');
    return { headers: request.headers, rawBody: request.body };
  }

  async stop(): Promise<void> {
    await this.lab.stop();
    await this.partner.stop();
  }
}

function claimsOf(body: Buffer): string {
  const { data } = JSON.parse(body.toString('utf8')) as { data: string };
  return Buffer.from(data.split('.')[1] ?? '', 'base64url').toString('utf8');
}
