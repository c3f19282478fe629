type Fields = Readonly<Record<string, unknown>>;

/** Error answer of a third party's API: `{"error": {code, message, …fields}}`. */
export class PartyApiError<Code extends string = string> extends Error {
  override readonly name: string = 'PartyApiError';

  constructor(
    readonly code: Code,
    readonly status: number,
    message: string,
    readonly fields: Fields = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  body(): { error: { code: Code; message: string } & Fields } {
    const { code, message, fields } = this;
    return { error: { code, message, ...fields } };
  }
}
