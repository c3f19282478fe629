import { invalidField } from '@bascule/contracts';
import { SealedTokenError, SealedTokens } from '@bascule/sealed-tokens';
import { Injectable } from '@nestjs/common';

/** Opens expired tokens too: none expires before it. */
const EPOCH = new Date(0);

/** Type of each token that a confirm takes, by its field. */
const TYPES = { state_token: 'quote', verification_token: 'verification' } as const;
export type TokenField = keyof typeof TYPES;

/** Opens sealed tokens of clients; expired ones too, since a payment confirmed in time stays confirmed. */
@Injectable()
export class TokenReaderService {
  constructor(private readonly tokens: SealedTokens) {}

  /** @throws ServiceError 400 for a token that no service sealed for this field */
  async open<T>(
    field: TokenField,
    token: string,
    now: Date,
  ): Promise<{ content: T; isExpired: boolean }> {
    const type = TYPES[field];
    try {
      return { content: await this.tokens.open<T>(type, token, now), isExpired: false };
    } catch (error) {
      if (!(error instanceof SealedTokenError)) throw error;
      if (error.code !== 'expired') {
        throw invalidField([field], `The ${field.replace('_', ' ')} is not valid.`);
      }
      return { content: await this.tokens.open<T>(type, token, EPOCH), isExpired: true };
    }
  }
}
