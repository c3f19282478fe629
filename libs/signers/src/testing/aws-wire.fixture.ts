import { generateKeyPairSync } from 'node:crypto';
import type { HttpAnswer, KeyRequest, StandInKey } from './stand-in-key.fixture.js';
import type { SignerOperation } from '../signer-error.js';

const ARN = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';

const OPERATIONS: Readonly<Record<string, SignerOperation>> = {
  'TrentService.GetPublicKey': 'public_key',
  'TrentService.Sign': 'sign',
};

interface AwsBody {
  KeyId?: string;
  Message?: string;
  MessageType?: string;
  SigningAlgorithm?: string;
}

const refusal = (status: number, code: string): HttpAnswer => ({
  status,
  headers: { 'x-amzn-errortype': code },
  body: { __type: code, message: `${code} of the stand-in` },
});

/** AWS KMS: JSON 1.1, one path, the operation in a header, signed requests. */
export const awsWire = {
  location: `aws-kms:${ARN}`,
  operationOf: (headers: NodeJS.Dict<string | string[]>): SignerOperation | undefined =>
    OPERATIONS[String(headers['x-amz-target'])],
  answer(
    key: StandInKey,
    { operation, misbehaviour }: KeyRequest,
    authorization: string,
    body: AwsBody,
  ): HttpAnswer {
    if (!authorization.startsWith('AWS4-HMAC-SHA256 Credential=stand-in/')) {
      return refusal(403, 'UnrecognizedClientException');
    }
    if (typeof misbehaviour === 'object') return refusal(misbehaviour.status, misbehaviour.code);
    if (body.KeyId !== ARN) return refusal(400, 'NotFoundException');
    if (operation === 'public_key') {
      const foreign = misbehaviour === 'has a key on another curve';
      const spki = foreign ? p256Spki() : key.spki();
      return {
        status: 200,
        body: {
          KeyId: ARN,
          PublicKey: spki.toString('base64'),
          KeySpec: 'ECC_SECG_P256K1',
          KeyUsage: 'SIGN_VERIFY',
          SigningAlgorithms: ['ECDSA_SHA_256'],
        },
      };
    }
    const digest = Buffer.from(body.Message ?? '', 'base64');
    if (
      body.MessageType !== 'DIGEST' ||
      body.SigningAlgorithm !== 'ECDSA_SHA_256' ||
      digest.length !== 32
    ) {
      return refusal(400, 'ValidationException');
    }
    const signature = key.sign(digest, 'der', misbehaviour).toString('base64');
    return {
      status: 200,
      body: { KeyId: ARN, Signature: signature, SigningAlgorithm: 'ECDSA_SHA_256' },
    };
  },
};

export const p256Spki = (): Buffer =>
  generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey.export({
    format: 'der',
    type: 'spki',
  });
