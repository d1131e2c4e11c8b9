/** What the board of Ginkgopolis answers. */
import { called, named, seats, type Asked, type Questions, type Subject } from '../../table/questions'
import { buildingAt, type At, type Builder, type Colour, type View } from './view'

const of = (view: View, seat: number): Builder => view.builders[seat]!
const own = ({ view, you }: Asked<View>): Builder => of(view, you!)
const COLOURS: Colour[] = ['red', 'yellow', 'blue']

const colours = (asked: Asked<View>): Subject[] => COLOURS.map((one) => named(asked, 'colour', one))
const buildings = (asked: Asked<View>): Subject[] =>
  asked.view.buildings.map(({ colour, number }, at) => ({
    value: String(at),
    names: `${asked.say(`colour.${colour}`)} ${number}`,
  }))

const markers = ({ view, say }: Asked<View>): Subject[] =>
  view.markers.map(({ letter }, at) => ({ value: String(at), names: say('label.marker', { marker: letter }) }))

/** What stands around a cell: north, east, south, west. */
const beside = ({ view, say }: Asked<View>, { x, y }: At): string => {
  const around = [
    [0, 1],
    [1, 0],
    [0, -1],
    [-1, 0],
  ].map(([east, north]) => ({ x: x + east!, y: y + north! }))
  const names = around.flatMap((at) => {
    const building = buildingAt(view, at)
    if (building) return [say('ask.named', { colour: building.colour, number: building.number })]
    return view.markers.filter((one) => one.x === at.x && one.y === at.y).map(({ letter }) => letter)
  })
  return say('ask.beside', { names: names.join(', ') || say('label.none') })
}

const said = (asked: Asked<View>, at: number): string => {
  const { colour, number, height, owner, site, x, y } = asked.view.buildings[at]!
  const facts = { colour, number, height }
  const words =
    owner === null
      ? asked.say('label.building_free', facts)
      : asked.say('ask.building', { ...facts, who: called(asked, owner) })
  return [words, ...(site ? [asked.say('label.site')] : []), beside(asked, { x, y })].join('; ')
}

/** "1 tile, 2 points" */
const gains = ({ say }: Asked<View>, goods: Record<string, number>): string =>
  Object.entries(goods)
    .filter(([, count]) => count)
    .map(([good, count]) => say(`gain.${good}`, { count }))
    .join(', ') || say('gain.nothing')

const listed = ({ say }: Asked<View>, key: 'card' | 'tile', all: string[] | null): string =>
  all?.length ? say(key === 'card' ? 'ask.list' : 'ask.tiles', { [key]: all }) : say('label.none')

export default {
  moves: ['committed', 'picked', 'new_hand', 'returned'],
  quiet: ['committed'],
  points: (view, seat) => of(view, seat).points,
  facts: [
    { name: 'hand', own: true, answer: (asked) => listed(asked, 'card', own(asked).draft ?? own(asked).hand) },
    { name: 'tile', own: true, answer: (asked) => listed(asked, 'tile', own(asked).tiles) },
    {
      name: 'goods',
      own: true,
      answer: (asked) => {
        const { resources, supply, points } = own(asked)
        return asked.say('ask.goods', { count: resources, supply, points: points ?? 0 })
      },
    },
    {
      name: 'district',
      of: colours,
      plain: true,
      answer: (asked, colour) => {
        const found = asked.view.districts.filter((one) => one.colour === colour)
        const each = found.map(({ buildings, shares }) => {
          const first = shares[0]
          const facts = { colour, count: buildings.length }
          return first
            ? asked.say('ask.district', {
                ...facts,
                who: called(asked, first.owner),
                resources: first.resources,
                points: first.points,
              })
            : asked.say('ask.district.nobody', facts)
        })
        return each.join('; ') || asked.say('ask.district.none', { colour })
      },
    },
    { name: 'building', of: buildings, plain: true, named: true, answer: (asked, at) => said(asked, Number(at)) },
    {
      name: 'marker',
      of: markers,
      plain: true,
      named: true,
      answer: (asked, at) => {
        const { letter, x, y } = asked.view.markers[Number(at)]!
        return `${asked.say('label.marker', { marker: letter })}; ${beside(asked, { x, y })}`
      },
    },
    {
      name: 'mine',
      own: true,
      answer: (asked) => {
        const mine = asked.view.buildings.filter(({ owner }) => owner === asked.you)
        const words = mine.map(({ colour, number, height }) => asked.say('ask.mine', { colour, number, height }))
        return words.join('; ') || asked.say('ask.mine.none')
      },
    },
    {
      name: 'bonus',
      own: true,
      answer: (asked) => {
        const { bonus } = own(asked)
        const each = (['exploit', 'urbanize', 'construct'] as const).map(
          (trigger) => `${asked.say(`trigger.${trigger}.title`)}: ${gains(asked, bonus[trigger])}`,
        )
        return each.join('; ')
      },
    },
    {
      name: 'left',
      answer: ({ view, say }) => {
        const words = say('ask.left', { tiles: view.tiles, count: view.deck, gone: view.discard })
        return view.depleted ? `${words}. ${say('label.depleted')}` : words
      },
    },
    {
      name: 'front',
      of: seats,
      answer: (asked, one) => {
        const { seat, characters, kept, worth } = of(asked.view, Number(one))
        const points = Object.values(worth).reduce((sum, now) => sum + now, 0)
        const cards = listed(asked, 'card', [...characters, ...kept])
        return asked.say('ask.front', { who: called(asked, seat), cards, points })
      },
    },
    {
      name: 'round',
      answer: (asked) => {
        const { round, first, ending } = asked.view
        const words = asked.say('ask.round', { number: round, who: called(asked, first) })
        return ending ? `${words}. ${asked.say('label.last_round')}` : words
      },
    },
    {
      name: 'player',
      of: seats,
      named: true,
      plain: true,
      answer: (asked, one) => {
        const { seat, resources, tile_count, cards, new_hands, known } = of(asked.view, Number(one))
        const facts = { who: called(asked, seat), resources, tiles: tile_count, count: cards, left: new_hands }
        const words = asked.say('ask.player', facts)
        return known.length && seat !== asked.you ? `${words}; ${asked.say('label.known', { cards: known })}` : words
      },
    },
  ],
} satisfies Questions<View>
