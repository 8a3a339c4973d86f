/** Words that say how something is asked, not what for. They count a little, so that a query made of nothing else still finds. */
const ENGLISH = `a an and are as at be been being but by can could did do does each for from had has have he her here his how i
if in into is it its itself just let like may me might more most must my need no not now of off on once one only or other our out
over own per please same shall she should so some such than that the their them then there these they this those through to too
under up us very via want was we were what when where which while who whom why will with within without would you your help tell
about also any both all between among during until upon etc get give make show take use`

const VAGUE = `related relevant proper certain various different several important possible based according corresponding
appropriate suitable main key detailed specific least overall rough approximate particular generally including`

const CHINESE = `的 了 和 与 及 或 在 是 我 你 您 他 她 它 们 我们 你们 这 那 这个 那个 这些 那些 哪些 哪个 哪 什么 怎么 怎样 如何 为 为了
把 被 将 让 给 对 从 到 向 以 用 由 于 中 里 上 下 面 来 去 要 会 能 可以 能够 需要 请 帮 帮我 帮忙 一下 一个 一些 一份 一张 一段 一 个 些
份 张 段 条 次 有 没有 都 也 还 就 再 又 吗 呢 吧 啊 着 过 并 并且 然后 之后 之间 以及 等 等等 最 很 更 看看 想 得 地 关于 根据 按 按照
进行 相关 现在 出来 下面 里面 方面 东西`

const WORDS = new Set(`${ENGLISH} ${VAGUE} ${CHINESE}`.split(/\s+/))

export function isStopWord(word: string): boolean {
  return WORDS.has(word)
}
