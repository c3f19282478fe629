import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import { resealSecrets, secretsOfOtherKeys } from '../secrets/reseal-secrets.service.js';
import { SecretCipher } from '../secrets/secret-cipher.js';

/** Encrypts stored secrets under the newest key while older ones are configured, and counts what is left. */
@Injectable()
export class KeyRotationService {
  private readonly remaining: Gauge;
  /** Keys of the last complete run without older ones, after which there is nothing to do. */
  private finished: string | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly cipher: SecretCipher,
    private readonly context: ServiceContext,
  ) {
    this.remaining = new Gauge({
      name: 'webhook_secrets_of_other_keys',
      help: 'Stored secrets that are not encrypted under the first key; remove no key before it is 0.',
      registers: [context.metrics],
    });
  }

  async run(): Promise<void> {
    const { newest, older } = this.cipher;
    if (older.length === 0 && this.finished === newest) return;
    const { stopping } = this.context.shutdown;
    const count = await resealSecrets(this.dataSource, this.cipher, stopping);
    if (count > 0) this.context.logger.info({ key: newest, count }, 'secrets encrypted again');
    if (stopping.aborted) return;
    this.remaining.set(await secretsOfOtherKeys(this.dataSource, this.cipher));
    this.finished = older.length === 0 ? newest : undefined;
  }
}
