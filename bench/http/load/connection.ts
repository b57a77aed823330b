import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { ResponseReader } from "./response-reader.ts";

/** All connections read into one buffer, for each takes what it needs at once. */
const readBuffer = Buffer.allocUnsafe(65_536);

/** One keep-alive connection, one request at a time. */
export class Connection {
  readonly #socket: Socket;
  readonly #reader = new ResponseReader();
  #onAnswer: (status: number) => void = () => {};
  #onFailure: (error: Error) => void = () => {};

  private constructor(port: number) {
    const callback = (length: number, bytes: Uint8Array): boolean =>
      this.#receive((bytes as Buffer).subarray(0, length));
    this.#socket = connect({ host: "127.0.0.1", port, noDelay: true, onread: { buffer: readBuffer, callback } });
    this.#socket.on("error", (error) => this.#onFailure(error));
    this.#socket.on("end", () => this.#onFailure(new Error("the server has closed a connection")));
  }

  /** @param onFailure Called when the connection breaks or an answer is no HTTP. */
  static async open(port: number, onFailure: (error: Error) => void): Promise<Connection> {
    const connection = new Connection(port);
    await once(connection.#socket, "connect");
    connection.#onFailure = onFailure;
    return connection;
  }

  /** Sends a whole request. @param onAnswer Called with the status when the whole answer has come. */
  ask(request: Uint8Array, onAnswer: (status: number) => void): void {
    this.#onAnswer = onAnswer;
    this.#socket.write(request);
  }

  close(): void {
    this.#onFailure = () => {};
    this.#socket.destroy();
  }

  #receive(bytes: Buffer): boolean {
    try {
      const status = this.#reader.read(bytes);
      if (status !== undefined) this.#onAnswer(status);
    } catch (error) {
      this.#onFailure(error as Error);
    }
    return true;
  }
}
