import { ServiceContext } from '@bascule/process';
import { openSigner, type Signer } from '@bascule/signers';
import type { ServiceKeys } from './deployment.js';

const CLOSE_MS = 1_000;

/** Opens each configured key once, for all checks. */
export class KeyRing {
  private readonly opened = new Map<string, Promise<Signer>>();
  private readonly context = new ServiceContext({
    name: 'preflight',
    environment: 'preflight',
    logLevel: 'silent',
  });

  /** @throws Error without the location, which may be the key itself */
  open(location: string, { signers: config }: Pick<ServiceKeys, 'signers'>): Promise<Signer> {
    const known = this.opened.get(location);
    if (known !== undefined) return known;
    const signer = openSigner(location, { context: this.context, config });
    this.opened.set(location, signer);
    return signer;
  }

  /** Ends what still tries to open a key. */
  close(): Promise<void> {
    return this.context.shutdown.run(CLOSE_MS);
  }
}
