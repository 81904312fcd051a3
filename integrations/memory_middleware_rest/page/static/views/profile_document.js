// A profile at one version: what it holds, and changes that know which version they mean.

import { call, get, Problem } from "../core/api.js";
import { complain, say } from "../core/toast.js";
import { t } from "../core/words.js";

export class Document {
  constructor(kind, content, tag, again) {
    Object.assign(this, { kind, content, tag, again });
  }

  at(path) {
    return path.reduce((value, name) => value?.[name], this.content);
  }

  /**
   * Put a value at a path, if nobody was faster; else `conflicted` is told what stands there now.
   * The message afterwards can take it back.
   */
  async put(path, value, conflicted) {
    const before = this.at(path) ?? null;
    try {
      const made = await this.#patch(path, value, this.tag);
      say(t("saved"), () => this.#patch(path, before, made.tag).then(this.again, complain));
      await this.again();
    } catch (error) {
      if (error instanceof Problem && error.status === 412) await this.#compare(path, conflicted);
      else complain(error);
    }
  }

  async #compare(path, conflicted) {
    const { data, tag } = await get(`memories/${this.kind}`);
    this.content = data ?? {};
    this.tag = tag;
    conflicted(this.at(path));
  }

  #patch(path, value, match) {
    const content = path.reduceRight((inner, name) => ({ [name]: inner }), value);
    return call("PATCH", `memories/${this.kind}`, { body: { content }, match });
  }
}
