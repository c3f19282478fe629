import { invalidRequest, ServiceError, type Issue, type ValidationError } from '@bascule/contracts';
import { RequestValidationPipe } from '@bascule/validation';
import { Injectable, type Type } from '@nestjs/common';

/** Parses a request; a refusal lists the problems of its shape and of its contents together. */
@Injectable()
export class RequestReaderService {
  private readonly shape = new RequestValidationPipe();

  /** @throws ServiceError */
  async read<T extends object>(
    type: 'body' | 'query',
    dto: Type<T>,
    given: unknown,
    problems: readonly (ValidationError | Issue)[],
  ): Promise<T> {
    const read = await this.parse(type, dto, given, problems);
    if (problems.length > 0) throw invalidRequest(...problems);
    return read;
  }

  private async parse<T extends object>(
    type: 'body' | 'query',
    dto: Type<T>,
    given: unknown,
    problems: readonly (ValidationError | Issue)[],
  ): Promise<T> {
    try {
      const read: unknown = await this.shape.transform(given, { type, metatype: dto });
      if (read instanceof dto) return read;
      throw new Error(`not a ${dto.name}`);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw invalidRequest(...error.errors, ...problems);
    }
  }
}
