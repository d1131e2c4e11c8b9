// Random play of Alhambra: The Card Game in hand-written C++, to compare the compiled rules with.
//
// The same rules, the same generator (ChaCha8) and the same draws in the same order as src/ziggurat/games/alhambra, so
// that both play the same games: native.py checks that before it compares the speed. Usual numbers and
// options only, no events.
//
//     g++ -std=c++17 -O3 -o alhambra alhambra.cpp && ./alhambra PLAYERS GAMES RUNS

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

constexpr int kSlots = 4, kMaxPlayers = 6, kKinds = 6, kNeutral = 2, kNobody = -1;
constexpr int kScoringA = 101, kScoringB = 102;
constexpr int kBuy = 15, kPay = 18, kKeep = 28, kGive = 29;

struct Rng {
    uint32_t key[8];
    uint64_t counter;
    uint32_t block[16];
    int used;

    static uint32_t rotate(uint32_t x, int n) { return (x << n) | (x >> (32 - n)); }

    static void quarter(uint32_t& a, uint32_t& b, uint32_t& c, uint32_t& d) {
        a += b; d = rotate(d ^ a, 16);
        c += d; b = rotate(b ^ c, 12);
        a += b; d = rotate(d ^ a, 8);
        c += d; b = rotate(b ^ c, 7);
    }

    void next_block() {
        uint32_t start[16] = {0x61707865, 0x3320646E, 0x79622D32, 0x6B206574};
        std::memcpy(start + 4, key, sizeof key);
        start[12] = static_cast<uint32_t>(counter);
        start[13] = static_cast<uint32_t>(counter >> 32);
        start[14] = start[15] = 0;
        uint32_t x[16];
        std::memcpy(x, start, sizeof x);
        for (int round = 0; round < 4; ++round) {
            for (int i = 0; i < 4; ++i) quarter(x[i], x[4 + i], x[8 + i], x[12 + i]);
            for (int i = 0; i < 4; ++i) quarter(x[i], x[4 + (i + 1) % 4], x[8 + (i + 2) % 4], x[12 + (i + 3) % 4]);
        }
        for (int i = 0; i < 16; ++i) block[i] = x[i] + start[i];
        ++counter;
        used = 0;
    }

    uint32_t word() {
        if (used >= 16) next_block();
        return block[used++];
    }

    uint32_t below(uint32_t n) {
        uint64_t product = uint64_t{word()} * n;
        uint32_t low = static_cast<uint32_t>(product);
        if (low < n) {
            uint32_t threshold = (0u - n) % n;
            while (low < threshold) {
                product = uint64_t{word()} * n;
                low = static_cast<uint32_t>(product);
            }
        }
        return static_cast<uint32_t>(product >> 32);
    }

    void begin_part(uint64_t number) {
        counter = number << 20;
        used = 16;
    }

    void reseed_from(Rng& source) {
        for (uint32_t& part : key) part = source.word();
        counter = 0;
        used = 16;
    }
};

struct Game {
    Rng rng;
    int16_t score[kMaxPlayers], worth[kMaxPlayers][4];
    int16_t money_left, paid_total;
    int8_t players, owners, turn, finished, building_left, paying, paid_last;
    int8_t paid[10], slots[kSlots], open_money[4], cards[kMaxPlayers];
    int8_t built[kMaxPlayers][kKinds], hand[kMaxPlayers][4][10], discard[4][10];
    int8_t building_deck[54], money_deck[110];
};

constexpr int kPoints[3][3] = {{0, 0, 0}, {7, 0, 0}, {15, 7, 0}};  // more than the same place of A, for a pavilion
const int kPrices[kKinds][12] = {
    {2, 3, 4, 5, 6, 7, 8}, {3, 4, 5, 6, 7, 8, 9}, {4, 5, 6, 6, 7, 8, 8, 9, 10},
    {5, 6, 7, 7, 8, 9, 9, 10, 11}, {6, 7, 8, 8, 8, 9, 10, 10, 10, 11, 12}, {7, 8, 9, 9, 9, 10, 11, 11, 11, 12, 13}};

int points_of(int round, int kind, int place) { return place > round ? 0 : kPoints[round][place] + 1 + kind; }

Game make_template(int players) {
    Game s;
    std::memset(&s, 0, sizeof s);
    s.players = static_cast<int8_t>(players);
    s.owners = static_cast<int8_t>(players == 2 ? 3 : players);
    for (int currency = 0; currency < 4; ++currency)
        for (int value = 1; value <= 9; ++value)
            for (int copy = 0; copy < (players == 2 ? 2 : 3); ++copy)
                s.money_deck[s.money_left++] = static_cast<int8_t>(currency * 10 + value);
    for (int kind = 0; kind < kKinds; ++kind)
        for (int price : kPrices[kind])
            if (price) s.building_deck[s.building_left++] = static_cast<int8_t>(kind * 20 + price);
    return s;
}

void shuffle(Rng& rng, int8_t* items, int n) {
    for (int i = n - 1; i > 0; --i) {
        int j = static_cast<int>(rng.below(static_cast<uint32_t>(i + 1)));
        int8_t kept = items[i];
        items[i] = items[j];
        items[j] = kept;
    }
}

void add_to_hand(Game& s, int seat, int card) {
    ++s.hand[seat][card / 10][card % 10];
    s.worth[seat][card / 10] += card % 10;
    ++s.cards[seat];
}

int draw_money(Game& s) {
    if (s.money_left == 0) {
        for (int currency = 0; currency < 4; ++currency)
            for (int value = 1; value <= 9; ++value)
                for (; s.discard[currency][value] > 0; --s.discard[currency][value])
                    s.money_deck[s.money_left++] = static_cast<int8_t>(currency * 10 + value);
        if (s.money_left == 0) return 0;
        shuffle(s.rng, s.money_deck, s.money_left);
    }
    return s.money_deck[--s.money_left];
}

int refill_money(Game& s) {
    int turned_up = 0;
    for (int8_t& place : s.open_money)
        while (place == 0) {
            int card = draw_money(s);
            if (card == 0) return turned_up;
            if (card >= kScoringA) turned_up |= 1 << (card - kScoringA);
            else place = static_cast<int8_t>(card);
        }
    return turned_up;
}

bool refill_buildings(Game& s) {
    for (int8_t& slot : s.slots)
        if (slot == 0) {
            if (s.building_left == 0) return false;
            slot = s.building_deck[--s.building_left];
        }
    return true;
}

void give_to_neutral(Game& s, int count) {
    for (; count > 0 && s.building_left > 0; --count) ++s.built[kNeutral][s.building_deck[--s.building_left] / 20];
}

void insert_card(Game& s, int card, int place) {
    for (int i = s.money_left; i > place; --i) s.money_deck[i] = s.money_deck[i - 1];
    s.money_deck[place] = static_cast<int8_t>(card);
    ++s.money_left;
}

int pile_size(int n, int pile) { return n / 5 + (pile <= n % 5 ? 1 : 0); }

void setup(Game& s) {
    s.paying = kNobody;
    shuffle(s.rng, s.building_deck, s.building_left);
    refill_buildings(s);
    if (s.owners > s.players) give_to_neutral(s, 6);
    shuffle(s.rng, s.money_deck, s.money_left);
    for (int seat = 0; seat < s.players; ++seat)
        for (int total = 0; total < 20;) {
            int card = s.money_deck[--s.money_left];
            total += card % 10;
            add_to_hand(s, seat, card);
        }
    int fewest = 100, tied = 0;
    for (int seat = 0; seat < s.players; ++seat) fewest = s.cards[seat] < fewest ? s.cards[seat] : fewest;
    for (int seat = 0; seat < s.players; ++seat) tied += s.cards[seat] == fewest;
    int chosen = static_cast<int>(s.rng.below(static_cast<uint32_t>(tied)));
    for (int seat = 0; seat < s.players; ++seat)
        if (s.cards[seat] == fewest && chosen-- == 0) s.turn = static_cast<int8_t>(seat);
    refill_money(s);
    int n = s.money_left;
    int b_from = pile_size(n, 5), a_from = b_from + pile_size(n, 4) + pile_size(n, 3) + 1;
    insert_card(s, kScoringB, b_from + static_cast<int>(s.rng.below(static_cast<uint32_t>(pile_size(n, 4) + 1))));
    insert_card(s, kScoringA, a_from + static_cast<int>(s.rng.below(static_cast<uint32_t>(pile_size(n, 2) + 1))));
}

bool can_act(const Game& s, int seat) {
    for (int8_t card : s.open_money)
        if (card) return true;
    for (int slot = 0; slot < kSlots; ++slot)
        if (s.slots[slot] && s.worth[seat][slot] >= s.slots[slot] % 20) return true;
    return false;
}

void score_round(Game& s, int round) {
    for (int kind = 0; kind < kKinds; ++kind)
        for (int owner = 0; owner < s.owners; ++owner) {
            int count = s.built[owner][kind], above = 0, tied = 0, total = 0;
            if (count == 0) continue;
            for (int other = 0; other < s.owners; ++other) {
                above += s.built[other][kind] > count;
                tied += s.built[other][kind] == count;
            }
            for (int place = above; place < above + tied && place < 3; ++place) total += points_of(round, kind, place);
            s.score[owner] += static_cast<int16_t>(total / tied);
        }
}

void end_game(Game& s) {
    for (int slot = 0; slot < kSlots; ++slot) {
        if (s.slots[slot] == 0) continue;
        int most = 0, holder = kNobody;
        for (int seat = 0; seat < s.players; ++seat) {
            if (s.worth[seat][slot] > most) {
                most = s.worth[seat][slot];
                holder = seat;
            } else if (s.worth[seat][slot] == most) {
                holder = kNobody;
            }
        }
        if (holder != kNobody) ++s.built[holder][s.slots[slot] / 20];
    }
    score_round(s, 2);
    s.finished = 1;
}

void end_turn(Game& s) {
    bool full = refill_buildings(s);
    int turned_up = full ? refill_money(s) : 0;
    const int gifts[2] = {6, 2};
    for (int round = 0; round < 2; ++round)
        if (turned_up >> round & 1) {
            score_round(s, round);
            if (s.owners > s.players) give_to_neutral(s, gifts[round]);
        }
    if (full)
        for (int i = 0; i < s.players; ++i) {
            s.turn = static_cast<int8_t>((s.turn + 1) % s.players);
            if (can_act(s, s.turn)) return;
        }
    end_game(s);
}

int legal(const Game& s, int* out) {
    int n = 0;
    if (s.paying != kNobody) {
        int price = s.slots[s.paying] % 20, reachable = s.paid_total;
        const int8_t* hand = s.hand[s.turn][s.paying];
        if (reachable >= price) {
            out[n++] = kKeep;
            if (s.owners > s.players) out[n++] = kGive;
        }
        for (int value = 1; value <= s.paid_last; ++value)
            if (hand[value] && (reachable += value * hand[value]) >= price) out[n++] = kPay + value;
        return n;
    }
    int value[4];
    for (int i = 0; i < 4; ++i) {
        value[i] = s.open_money[i] % 10;
        if (value[i]) out[n++] = (1 << i) - 1;
    }
    for (int a = 0; a < 3; ++a) {
        if (value[a] == 0 || value[a] >= 5) continue;
        for (int b = a + 1; b < 4; ++b) {
            int ab = value[a] + value[b];
            if (value[b] == 0 || ab > 5) continue;
            out[n++] = (1 << a | 1 << b) - 1;
            for (int c = b + 1; c < 4; ++c) {
                int abc = ab + value[c];
                if (value[c] == 0 || abc > 5) continue;
                out[n++] = (1 << a | 1 << b | 1 << c) - 1;
                for (int d = c + 1; d < 4; ++d)
                    if (value[d] && abc + value[d] <= 5) out[n++] = 14;
            }
        }
    }
    for (int slot = 0; slot < kSlots; ++slot)
        if (s.slots[slot] && s.worth[s.turn][slot] >= s.slots[slot] % 20) out[n++] = kBuy + slot;
    return n;
}

void play(Game& s, int action) {
    int seat = s.turn;
    if (action < kBuy) {
        for (int i = 0; i < 4; ++i)
            if ((action + 1) >> i & 1) {
                add_to_hand(s, seat, s.open_money[i]);
                s.open_money[i] = 0;
            }
        end_turn(s);
    } else if (action < kBuy + kSlots) {
        s.paying = static_cast<int8_t>(action - kBuy);
        s.paid_last = 9;
    } else if (action < kKeep) {
        int value = action - kPay;
        --s.hand[seat][s.paying][value];
        s.worth[seat][s.paying] -= static_cast<int16_t>(value);
        --s.cards[seat];
        ++s.paid[value];
        s.paid_total += static_cast<int16_t>(value);
        s.paid_last = static_cast<int8_t>(value);
    } else {
        int slot = s.paying, building = s.slots[slot];
        bool exact = s.paid_total == building % 20;
        for (int value = 1; value <= 9; ++value) {
            s.discard[slot][value] += s.paid[value];
            s.paid[value] = 0;
        }
        s.paid_total = 0;
        s.paying = kNobody;
        s.slots[slot] = 0;
        ++s.built[action == kGive ? kNeutral : seat][building / 20];
        if (!exact || !can_act(s, seat)) end_turn(s);
    }
}

}  // namespace

int main(int count, char** arguments) {
    int players = count > 1 ? std::atoi(arguments[1]) : 3;
    int games = count > 2 ? std::atoi(arguments[2]) : 10000;
    int runs = count > 3 ? std::atoi(arguments[3]) : 5;
    const Game start = make_template(players);
    double best = 0;
    long long decisions = 0, points = 0;
    for (int run = 0; run < runs; ++run) {
        Rng rng{};
        rng.key[0] = 1;  // the seed 1
        rng.used = 16;
        decisions = points = 0;
        timespec from, to;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
        static Game s;
        for (int game = 0; game < games; ++game) {
            s = start;
            rng.begin_part(static_cast<uint64_t>(game));
            s.rng.reseed_from(rng);
            setup(s);
            while (!s.finished) {
                int actions[64];
                int n = legal(s, actions);
                play(s, actions[rng.below(static_cast<uint32_t>(n))]);
                ++decisions;
            }
            // Weighted by game and seat, so that equal sums mean equal games.
            for (int seat = 0; seat < players; ++seat) points += s.score[seat] * (seat + 1LL) * (game % 1000 + 1);
        }
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
        double seconds = double(to.tv_sec - from.tv_sec) + 1e-9 * double(to.tv_nsec - from.tv_nsec);
        if (double(decisions) / seconds > best) best = double(decisions) / seconds;
    }
    std::printf("%lld %lld %.0f %zu\n", decisions, points, best, sizeof(Game));
}
