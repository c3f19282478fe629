import type { StackFile } from '@bascule/composition';
import type { BrowserContext } from 'playwright-core';
import {
  createPublicClient,
  createWalletClient,
  hexToNumber,
  http,
  isAddressEqual,
  type Address,
  type Hex,
  type PrivateKeyAccount,
  type TypedDataDefinition,
} from 'viem';

interface ProviderRequest {
  method: string;
  params?: unknown;
}

type Outcome = { result: unknown } | { error: { code: number; message: string } };

/** An error of EIP-1193. */
class ProviderError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const READS = [
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_getBlockByNumber',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
];

/** A wallet beside the pages of a browser: keeps the keys, and answers an injected provider. */
export class InjectedWallet {
  /** Methods that pages called to have something signed. */
  readonly signed: string[] = [];
  #chainId: number;

  constructor(
    private readonly stack: StackFile,
    private readonly accounts: PrivateKeyAccount[],
  ) {
    this.#chainId = this.#chains()[0]?.chain_id ?? 0;
  }

  /** Announces the wallet to every page of the context. */
  async install(context: BrowserContext): Promise<void> {
    await context.exposeFunction('__walletRequest', (request: ProviderRequest) =>
      this.#answer(request),
    );
    await context.addInitScript({ content: ANNOUNCE });
  }

  async #answer(request: ProviderRequest): Promise<Outcome> {
    try {
      return { result: await this.#perform(request) };
    } catch (error) {
      const code = error instanceof ProviderError ? error.code : -32_603;
      return { error: { code, message: String(error) } };
    }
  }

  async #perform({ method, params = [] }: ProviderRequest): Promise<unknown> {
    const [first, second] = params as [never, never];
    switch (method) {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return this.accounts.map(({ address }) => address);
      case 'wallet_switchEthereumChain':
        return this.#switchTo(first);
      case 'personal_sign':
        this.signed.push(method);
        return this.#account(second).signMessage({ message: { raw: first } });
      case 'eth_signTypedData_v4':
        this.signed.push(method);
        return this.#signTypedData(first, second);
      case 'eth_sendTransaction':
        this.signed.push(method);
        return this.#send(first);
      default:
        return this.#read({ method, params });
    }
  }

  #switchTo({ chainId }: { chainId: Hex }): null {
    const id = hexToNumber(chainId);
    if (!this.#chains().some((chain) => chain.chain_id === id)) {
      throw new ProviderError(4902, `unknown chain ${id}`);
    }
    this.#chainId = id;
    return null;
  }

  #signTypedData(signer: Address, json: string): Promise<Hex> {
    const { types, ...typedData } = JSON.parse(json) as TypedDataDefinition & {
      types: Record<string, unknown>;
    };
    if (types['EIP712Domain'] === undefined) {
      throw new ProviderError(-32_602, 'typed data without the type of its domain');
    }
    const { EIP712Domain: _, ...signedTypes } = types;
    return this.#account(signer).signTypedData({ ...typedData, types: signedTypes });
  }

  #send({ from, to, data, value }: { from: Address; to: Address; data?: Hex; value?: Hex }) {
    const client = createWalletClient({ account: this.#account(from), transport: this.#node() });
    return client.sendTransaction({
      chain: null,
      to,
      ...(data === undefined ? {} : { data }),
      ...(value === undefined ? {} : { value: BigInt(value) }),
    });
  }

  /** Passes what needs no key on to the node. */
  async #read({ method, params }: ProviderRequest): Promise<unknown> {
    if (!READS.includes(method)) throw new ProviderError(4200, `${method} is not supported`);
    const client = createPublicClient({ transport: this.#node() });
    return client.request({ method, params } as never);
  }

  #account(address: Address): PrivateKeyAccount {
    const found = this.accounts.find((account) => isAddressEqual(account.address, address));
    if (!found) throw new ProviderError(4100, `${address} is not an account of this wallet`);
    return found;
  }

  #chains() {
    return Object.values(this.stack.chains);
  }

  #node() {
    return http(this.#chains().find((chain) => chain.chain_id === this.#chainId)?.rpc_url);
  }
}

/** Runs in every page before its own scripts, as the script of a wallet's extension does. */
const ANNOUNCE = `(() => {
  const provider = Object.freeze({
    async request(args) {
      const outcome = await globalThis.__walletRequest(args);
      if ('result' in outcome) return outcome.result;
      throw Object.assign(new Error(outcome.error.message), { code: outcome.error.code });
    },
    on() {},
    removeListener() {},
  });
  const info = {
    uuid: '5a1f0bd5-1d0c-4d67-9f6a-2f0f0b5b8c11',
    name: 'Test wallet',
    icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
    rdns: 'example.wallet',
  };
  const announce = () =>
    globalThis.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }),
    );
  globalThis.addEventListener('eip6963:requestProvider', announce);
  announce();
})();`;
