import { invalidField } from '@bascule/contracts';
import { SealedTokenError, SealedTokens } from '@bascule/sealed-tokens';
import { Injectable } from '@nestjs/common';

/** Opens expired tokens too: none expires before it. */
const EPOCH = new Date(0);

/** Time after a token's expiry in which an owner who signed in time can still be verified. */
const GRACE_MS = 15 * 60_000;

/** Type of each token that a confirm takes, by its field. */
const TYPES = { state_token: 'quote', verification_token: 'verification' } as const;
export type TokenField = keyof typeof TYPES;

export interface OpenedToken<T> {
  content: T;
  isExpired: boolean;
  /** At most 15 minutes have passed since the expiry. */
  isRecent: boolean;
}

/** Opens sealed tokens of clients; expired ones too, since a payment confirmed in time stays confirmed. */
@Injectable()
export class TokenReaderService {
  constructor(private readonly tokens: SealedTokens) {}

  /** @throws ServiceError 400 for a token that no service sealed for this field */
  async open<T>(field: TokenField, token: string, now: Date): Promise<OpenedToken<T>> {
    const inTime = await this.openAt<T>(field, token, now);
    if (inTime) return { ...inTime, isExpired: false, isRecent: true };
    const recent = await this.openAt<T>(field, token, new Date(now.getTime() - GRACE_MS));
    if (recent) return { ...recent, isExpired: true, isRecent: true };
    const content = await this.tokens.open<T>(TYPES[field], token, EPOCH);
    return { content, isExpired: true, isRecent: false };
  }

  /** Null for a token that had expired then. */
  private async openAt<T>(
    field: TokenField,
    token: string,
    time: Date,
  ): Promise<{ content: T } | null> {
    try {
      return { content: await this.tokens.open<T>(TYPES[field], token, time) };
    } catch (error) {
      if (!(error instanceof SealedTokenError)) throw error;
      if (error.code === 'expired') return null;
      throw invalidField([field], `The ${field.replace('_', ' ')} is not valid.`);
    }
  }
}
