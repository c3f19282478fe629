import { connect } from 'node:net';

const TIMEOUT_MS = 1_000;

/** Whether a Redis on this machine responds. */
export function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write('PING\r\n'));
    const done = (answers: boolean) => {
      socket.destroy();
      resolve(answers);
    };
    socket.setTimeout(TIMEOUT_MS, () => done(false));
    socket.once('error', () => done(false));
    socket.once('close', () => done(false));
    socket.once('data', (answer) => done(answer.toString().startsWith('+PONG')));
  });
}
