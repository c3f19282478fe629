import type { TokenIdentifier } from '@bascule/contracts';
import type { Hex, PrivateKeyAccount, TransactionReceipt } from 'viem';
import { Chain, type Call } from '../../../tools/first-payment/chain.js';
import type { Stack } from '../../../tools/first-payment/stack.js';

const PRIORITY_FEE = 10n ** 9n;
/** Above every base fee of a busy development chain. */
const MAX_FEE = 10n ** 12n;

/** Chain client whose faucet sends for many payments concurrently: it assigns nonces without waiting for a block. */
export class FaucetChain extends Chain {
  #turn: Promise<unknown> = Promise.resolve();
  #nextNonce: number | null = null;
  readonly #decimals = new Map<TokenIdentifier, Promise<number>>();

  constructor(stack: Stack, name: string) {
    super(stack, name);
  }

  override async send(account: PrivateKeyAccount, call: Call): Promise<TransactionReceipt> {
    if (account.address !== this.faucet.address) return super.send(account, call);
    const gas = await this.estimateGas(account, call);
    const hash = await this.#inTurn(() => this.#sendNext(call, gas));
    const receipt = await this.client.waitForTransactionReceipt({ hash, timeout: 60_000 });
    if (receipt.status !== 'success') throw new Error(`transaction ${hash} reverted`);
    return receipt;
  }

  override decimals(token: TokenIdentifier): Promise<number> {
    const known = this.#decimals.get(token);
    if (known) return known;
    const asked = super.decimals(token);
    this.#decimals.set(token, asked);
    return asked;
  }

  async #sendNext(call: Call, gas: bigint): Promise<Hex> {
    const { address } = this.faucet;
    this.#nextNonce ??= await this.client.getTransactionCount({ address, blockTag: 'pending' });
    const serializedTransaction = await this.faucet.signTransaction({
      ...call,
      chainId: this.chainId,
      type: 'eip1559',
      nonce: this.#nextNonce,
      gas,
      maxPriorityFeePerGas: PRIORITY_FEE,
      maxFeePerGas: MAX_FEE,
    });
    const hash = await this.client.sendRawTransaction({ serializedTransaction });
    this.#nextNonce += 1;
    return hash;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }
}
